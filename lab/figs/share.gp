# figure: Share of priorities in the bytes to hosts over time, from counters of queues
# of: a1-storage-mix
# needs: 'record: {series: {of: queue.bytes, every: TIME}}'
# data share: WITH s AS (SELECT series, substr(object, instr(object, '|') + 1) AS
#   priority FROM series WHERE run = ?1 AND metric = 'queue.bytes' AND object LIKE
#   '%.h-%'), d AS (SELECT t_ps, priority, value - coalesce(lag(value) OVER
#   (PARTITION BY series ORDER BY t_ps), 0) AS bytes FROM samples JOIN s USING
#   (series) WHERE run = ?1), p AS (SELECT t_ps, priority, sum(bytes) AS bytes
#   FROM d GROUP BY t_ps, priority), c AS (SELECT t_ps, priority, sum(bytes) OVER
#   (PARTITION BY t_ps ORDER BY priority DESC) AS upto, sum(bytes) OVER
#   (PARTITION BY t_ps) AS total FROM p) SELECT 'priority ' || priority, t_ps *
#   1e-9, 100.0 * upto / total FROM c WHERE total > 0 AND priority IN (SELECT
#   priority FROM p GROUP BY priority HAVING sum(bytes) > 0) ORDER BY priority,
#   t_ps
set xlabel "time, ms"
set ylabel "share of the bytes, %, one above the other"
set yrange [0:100]
set key outside below noenhanced
plot for [i=0:share_blocks-1] share index i using 1:2 with filledcurves x1 \
    fs solid 0.7 title columnheader(1)
