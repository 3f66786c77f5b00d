# figure: Shares of the measurements
# data points: SELECT curve, x, CASE WHEN (SELECT count(DISTINCT measure)
#   FROM points) > 1 THEN 100.0 * y / sum(y) OVER (PARTITION BY run)
#   ELSE 100.0 * y * count(*) OVER (PARTITION BY x, curve)
#   / sum(y) OVER (PARTITION BY x) END
#   FROM points WHERE x IS NOT NULL ORDER BY measure, by_number, curve, x
# Measurements of one run share its sum.  A single one is compared between the
# runs of an x, where repetitions count once.
set xlabel arg2."\n " noenhanced
set ylabel "share, %"
set yrange [0:100]
set key outside below noenhanced
set offsets graph 0.02, graph 0.02, 0, 0
plot for [i=0:points_blocks-1] points index i using 1:2 with linespoints \
    lw 2 pt 7 ps 0.5 title columnheader(1)
