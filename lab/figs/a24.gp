# figure: Misses in the cache of contexts, and goodput, by queue pairs (section 7.2)
# needs: complete runs of a24-context-misses
# of: a24-context-misses
# source: runs
# data goodput: SELECT v.value, 8 * q.value, avg(1e-9 * g.value),
#   min(1e-9 * g.value), max(1e-9 * g.value) FROM verdicts g JOIN params v
#   USING (number) JOIN params q USING (number) WHERE g.text = 'figure: goodput'
#   AND v.name = 'variant' AND q.name = 'traffic.load.rc.qps'
#   GROUP BY 1, 2 ORDER BY 1, 2
# data found: SELECT v.value, 8 * q.value, avg(100 - 100 * h.value) FROM verdicts h
#   JOIN params v USING (number) JOIN params q USING (number) WHERE
#   h.text = 'contexts that are found' AND v.name = 'variant' AND
#   q.name = 'traffic.load.rc.qps' GROUP BY 1, 2 ORDER BY 1, 2
# Section 7.2 of Bai et al., NSDI 2023, says what happens and prints no numbers.
# The line is what one miss at a time of 700 ns leaves: 1,024 bytes each.
set xlabel "queue pairs"
set logscale x 2
set xrange [48:6000]
set ylabel "goodput, Gb/s"
set yrange [0:*]
set y2label "misses, % of packets"
set y2range [0:100]
set y2tics
set ytics nomirror
set key outside below noenhanced maxcols 3
plot for [i=0:goodput_blocks-1] goodput index i using 1:2:3:4 with yerrorlines \
    lc i+1 pt 7 title columnheader(1), \
    for [i=0:found_blocks-1] found index i using 1:2 axes x1y2 with lines lc i+1 \
    dt 3 title columnheader(1)." (misses)", \
    1024 * 8.0 / 700 lw 2 dt 2 lc rgb "black" title "a miss per packet"
