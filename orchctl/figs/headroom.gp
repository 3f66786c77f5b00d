# figure: Headroom against the length of the cable
# data points: SELECT curve, x, y FROM points WHERE x IS NOT NULL
#   ORDER BY measure, by_number, curve, x
set xlabel "cable, m\n "
set ylabel arg3 noenhanced
set format y "%.1s %c"
set xrange [0:*]
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set key outside below noenhanced
plot for [i=0:points_blocks-1] points index i using 1:2 with linespoints \
    lw 2 pt 7 ps 0.5 title columnheader(1)
