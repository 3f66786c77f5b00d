# figure: XOFF and XON points against alpha
# data points: SELECT curve, x, y FROM points WHERE x IS NOT NULL
#   ORDER BY measure, by_number, curve, x
alpha(n) = n < 0 ? sprintf("1/%d", 2 ** -n) : sprintf("%d", 2 ** n)
set xlabel "alpha = 2^n, n = ".arg2."\n " noenhanced
set ylabel arg3 noenhanced
set format y "%.1s %c"
set yrange [0:*]
set key outside below noenhanced
set offsets graph 0.02, graph 0.02, graph 0.05, 0
plot for [i=0:points_blocks-1] points index i \
    using 1:2:xtic(alpha($1)) with linespoints lw 2 pt 7 ps 0.6 \
    title columnheader(1)
