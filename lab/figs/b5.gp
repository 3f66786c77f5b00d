# figure: Utilization of leaf-spine links by variant, and that of figure 7 of the paper
# of: b5-clos60 b5-clos60-small
# needs: complete runs of b5-clos60 or b5-clos60-small
# source: runs
# data links: SELECT 'links', p.value, avg(100 * v.value), min(100 * v.value),
#   max(100 * v.value) FROM verdicts v JOIN params p USING (number) WHERE
#   p.name = 'variant' AND v.text = 'utilization of the leaf-spine links'
#   GROUP BY p.value ORDER BY avg(v.value)
# The second data set is of Guo et al., SIGCOMM 2016.
$paper << EOD
60
EOD
set ylabel "utilization, %: mean and range of the seeds"
set yrange [0:105]
set xtics rotate by -45 noenhanced
set offsets 0.5, 0.5, 0, 0
set key outside below noenhanced
stats $paper using 1 nooutput
plot links using 0:2:3:4:xtic(1) with yerrorbars pt 7 title "runs", \
    STATS_mean with lines lw 2 dt 2 title "paper"
