# figure: Measurements against a parameter
# data points: SELECT curve, x, y FROM points WHERE x IS NOT NULL
#   ORDER BY measure, by_number, curve, x
set xlabel arg2."\n " noenhanced
set ylabel arg3 noenhanced
set format y "%.1s %c"
set key outside below noenhanced
set offsets graph 0.02, graph 0.02, graph 0.05, 0
plot for [i=0:points_blocks-1] points index i using 1:2 with linespoints \
    lw 2 pt 7 ps 0.5 title columnheader(1)
