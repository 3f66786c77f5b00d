# figure: Shares of the measurements
# data points: SELECT curve, x, 100.0 * y / sum(y) OVER (PARTITION BY x)
#   FROM points WHERE x IS NOT NULL ORDER BY measure, by_number, curve, x
set xlabel arg2 noenhanced
set ylabel "share, %"
set yrange [0:100]
set key outside below noenhanced
set offsets graph 0.02, graph 0.02, 0, 0
plot for [i=0:points_blocks-1] points index i using 1:2 with linespoints \
    lw 2 pt 7 ps 0.5 title columnheader(1)
