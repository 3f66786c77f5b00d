# figure: Packets marked CE
# data points: SELECT curve, x, y FROM points WHERE x IS NOT NULL
#   ORDER BY measure, by_number, curve, x
set xlabel arg2 noenhanced
set ylabel "marked ".arg3 noenhanced
set format y "%.1s %c"
set yrange [0:*]
set key left top noenhanced
plot for [i=0:points_blocks-1] points index i using 1:2 with points \
    pt 7 ps 0.5 title columnheader(1)
