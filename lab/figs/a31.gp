# figure: Longest messages while adapters are repaired (section 8.1)
# of: a31-repair
# needs: 'record: {messages: true}', and 'repairs'
# data messages: SELECT group_name, end_ps * 1e-9, max(latency_ps) * 1e-6
#   FROM message_list JOIN runs USING (run) WHERE run = ?1
#   GROUP BY group_name, end_ps * 100 / virtual_ps ORDER BY group_name, end_ps
# data closing: SELECT 'closing', 1e-3 * b.value, 1e-3 * (e.value - b.value)
#   FROM counter_list b JOIN counter_list e USING (run, node) WHERE run = ?1
#   AND b.name = 'repair.begin_us' AND e.name = 'repair.unload_us' ORDER BY b.node
# data reload: SELECT 'reload', 1e-3 * b.value, 1e-3 * (e.value - b.value)
#   FROM counter_list b JOIN counter_list e USING (run, node) WHERE run = ?1
#   AND b.name = 'repair.unload_us' AND e.name = 'repair.load_us' ORDER BY b.node
# data return: SELECT 'return', 1e-3 * b.value, 1e-3 * (e.value - b.value)
#   FROM counter_list b JOIN counter_list e USING (run, node) WHERE run = ?1
#   AND b.name = 'repair.load_us' AND e.name = 'repair.back_us' ORDER BY b.node
# The longest message that ends in each 100th of the time.
set xlabel "time, ms"
set ylabel "latency, us"
set logscale y
set yrange [0.5:*]
set key outside below noenhanced
# A line for each host, below the messages.
y(row) = 1 + 0.5 * row
plot for [i=0:messages_blocks-1] messages index i using 1:2 with points pt 7 ps 0.5 \
    title columnheader(1), \
    closing using 1:(y($0)):2:(0) with vectors nohead lw 5 title "asked to close", \
    reload using 1:(y($0)):2:(0) with vectors nohead lw 5 title "no driver", \
    return using 1:(y($0)):2:(0) with vectors nohead lw 5 title "connections come back"
