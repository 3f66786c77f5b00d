# figure: Share of SRD on each path beside elephants, by the queue of the path
# of: d3-elephants
# needs: d3-elephants: 'record: {series: {of: queue.depth, at: 't1-*', ...}}'
# data paths: WITH q AS (SELECT substr(object, 1, instr(object, '.') - 1) AS leaf,
#   avg(value) * 8e-5 AS us FROM sample_list WHERE run = ?1 AND name =
#   'queue.depth' AND object LIKE 't1-%.t0-1|0' GROUP BY 1), b AS (SELECT peer AS
#   leaf, bytes FROM queue_list WHERE run = ?1 AND node = 't0-0' AND priority = 0
#   AND peer LIKE 't1-%') SELECT 'paths', us, 100.0 * bytes / (SELECT avg(bytes)
#   FROM b) FROM q JOIN b USING (leaf) ORDER BY us
# The paper has no such figure: 100 % is a fair share, 25 % the target.
set xlabel "mean queue of the path, us of 100 Gb/s"
set ylabel "packets of SRD on the path, % of a fair share"
set yrange [0:*]
set key outside below noenhanced
plot paths using 1:2 with points pt 7 title "paths", \
    100 with lines lw 2 dt 2 title "fair share", \
    25 with lines lw 2 dt 3 title "1/4"
