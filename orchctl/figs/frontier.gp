# figure: Where packets are lost
# data points: SELECT 'nothing lost', x, by_number FROM points
#   WHERE x IS NOT NULL AND by_number IS NOT NULL AND y = 0 ORDER BY x
# data lost: SELECT 'lost', x, by_number FROM points
#   WHERE x IS NOT NULL AND by_number IS NOT NULL AND y > 0 ORDER BY x
set xlabel arg2."\n " noenhanced
set ylabel arg4 noenhanced
set key outside below noenhanced
set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
plot for [i=0:points_blocks-1] points index i using 1:2 with points \
    lw 2 ps 1.2 pt 6 lc rgb "#0072b2" title "nothing lost", \
    for [i=0:lost_blocks-1] lost index i using 1:2 with points \
    ps 1.2 pt 7 lc rgb "#d55e00" title "lost"
