# figure: Longest messages over time, and the log of changes
# of: c10-onboarding
# needs: 'record: {messages: true}', and a 'rollout'
# data messages: SELECT group_name, end_ps * 1e-9, max(latency_ps) * 1e-6
#   FROM message_list JOIN runs USING (run) WHERE run = ?1
#   GROUP BY group_name, end_ps * 100 / virtual_ps ORDER BY group_name, end_ps
# data log: SELECT 'log', t_ps * 1e-9, 0.1, change FROM changes WHERE run = ?1
#   ORDER BY number
# The longest message that ends in each 100th of the time.
set xlabel "time, ms"
set ylabel "latency, us"
set logscale y
set key outside below noenhanced
plot for [i=0:messages_blocks-1] messages index i using 1:2 with points pt 7 ps 0.5 \
    title columnheader(1), \
    for [i=0:log_blocks-1] log index i using 1:2:(0):(1e6) with vectors \
    nohead lw 2 title "steps and findings"
