# figure: Goodput of flows
# data rates: SELECT group_name, row_number() OVER (PARTITION BY group_name
#   ORDER BY goodput_bps), goodput_bps * 1e-9 FROM flow_list
#   WHERE run = ?1 AND goodput_bps IS NOT NULL ORDER BY group_name, 2
set xlabel "flow, the slowest first"
set ylabel "goodput, Gb/s"
set yrange [0:*]
set key left top noenhanced
plot for [i=0:rates_blocks-1] rates index i using 1:2 with linespoints \
    title columnheader(1)
