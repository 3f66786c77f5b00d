# figure: Latencies of messages
# needs: 'record: {messages: true}'
# data cdf: SELECT group_name, latency_ps * 1e-6, 1.0 * row_number() OVER
#   (PARTITION BY group_name ORDER BY latency_ps) / count(*) OVER
#   (PARTITION BY group_name) FROM message_list
#   WHERE run = ?1 AND state = 'done' ORDER BY group_name, latency_ps
set xlabel "latency, us"
set logscale x
set ylabel "share of messages"
set yrange [0:1]
set key right bottom noenhanced
plot for [i=0:cdf_blocks-1] cdf index i using 1:2 with steps lw 2 \
    title columnheader(1)
