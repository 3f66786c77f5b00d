# figure: Headroom against the length of the cable
# data points: SELECT curve, x, y FROM points WHERE x IS NOT NULL
#   ORDER BY measure, by_number, curve, x
set xlabel "cable, m"
set ylabel arg3 noenhanced
set format y "%.1s %c"
set xrange [0:*]
set yrange [0:*]
set key left top noenhanced
plot for [i=0:points_blocks-1] points index i using 1:2 with linespoints \
    lw 2 pt 7 ps 0.5 title columnheader(1)
