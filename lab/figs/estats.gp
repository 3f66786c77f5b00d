# figure: Histograms of T6-T1, T5-T1 and T6-T5 of all operations
# needs: 'record: {estats: on}'
# data times: WITH h AS (SELECT name, high, sum(n) AS n FROM hist WHERE run = ?1
#   AND name LIKE 'estats.%' AND object NOT LIKE '% interval %' AND object NOT
#   LIKE '% receive %' GROUP BY name, high) SELECT CASE name WHEN 'estats.total'
#   THEN 'T6-T1' WHEN 'estats.nic' THEN 'T5-T1' ELSE 'T6-T5' END, 1e-6 * high,
#   1.0 * n / sum(n) OVER (PARTITION BY name) FROM h WHERE high > 0
#   ORDER BY name DESC, high
set xlabel "time, us"
set ylabel "share of operations"
set logscale x
set yrange [0:*]
set key outside below noenhanced
plot for [i=0:times_blocks-1] times index i using 1:2 with histeps lw 2 \
    title columnheader(1)
