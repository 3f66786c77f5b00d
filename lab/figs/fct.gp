# figure: Completion times of flows
# data cdf: SELECT group_name, fct_ps * 1e-6, 1.0 * row_number() OVER
#   (PARTITION BY group_name ORDER BY fct_ps) / count(*) OVER
#   (PARTITION BY group_name) FROM flow_list
#   WHERE run = ?1 AND fct_ps IS NOT NULL ORDER BY group_name, fct_ps
set xlabel "completion time, us"
set ylabel "share of flows"
set yrange [0:1]
set key right bottom noenhanced
plot for [i=0:cdf_blocks-1] cdf index i using 1:2 with steps lw 2 \
    title columnheader(1)
