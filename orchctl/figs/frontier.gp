# figure: Where packets are lost
# data points: SELECT CASE WHEN y > 0 THEN 'lost' ELSE 'nothing lost' END, x,
#   by_number, y FROM points WHERE x IS NOT NULL AND by_number IS NOT NULL
#   ORDER BY y > 0, x, by_number
set xlabel arg2 noenhanced
set ylabel arg4 noenhanced
set key outside below noenhanced
set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
plot for [i=0:points_blocks-1] points index i using 1:2 with points \
    lw 2 ps 1.2 pt (i == 0 ? 6 : 7) title columnheader(1)
