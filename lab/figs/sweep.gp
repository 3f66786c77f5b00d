# figure: Values of the expectations named "figure: ...", by the value of the sweep
# needs: 'sweep', and an expectation with a name like 'figure: goodput'
# source: runs
# data values: WITH x AS (SELECT name FROM params GROUP BY name
#   ORDER BY count(DISTINCT value) DESC LIMIT 1), a AS (SELECT number, value AS
#   label, (value + 0) * CASE WHEN value GLOB '*GiB' THEN 1073741824 WHEN value
#   GLOB '*MiB' THEN 1048576 WHEN value GLOB '*KiB' THEN 1024 WHEN value GLOB
#   '*G*' THEN 1e9 WHEN value GLOB '*M*' THEN 1e6 WHEN value GLOB '*[kK]*' THEN
#   1e3 WHEN value GLOB '*ms' THEN 1e-3 WHEN value GLOB '*us' THEN 1e-6 WHEN
#   value GLOB '*ns' THEN 1e-9 ELSE 1 END AS x FROM params
#   WHERE name = (SELECT name FROM x) AND value + 0 > 0), o AS
#   (SELECT p.number, group_concat(p.value, ' ') AS others FROM params p WHERE
#   p.name <> (SELECT name FROM x) AND NOT EXISTS (SELECT 1 FROM params v WHERE
#   v.number = p.number AND v.name = 'variant' AND p.name <> 'variant' AND
#   (SELECT count(DISTINCT q.value) FROM params q JOIN params w USING (number)
#   WHERE w.name = 'variant' AND w.value = v.value AND q.name = p.name) = 1)
#   GROUP BY p.number) SELECT substr(v.text, 9) || coalesce(', ' ||
#   others, ''), a.x, avg(v.value), min(v.value), max(v.value), a.label
#   FROM verdicts v JOIN a USING (number) LEFT JOIN o USING (number)
#   WHERE v.known AND v.text LIKE 'figure: %' GROUP BY 1, a.x ORDER BY 1, a.x
set xlabel "value of the sweep"
set ylabel "mean and range of the seeds"
set logscale x
set yrange [0:*]
set key outside below noenhanced
plot for [i=0:values_blocks-1] values index i using 1:2:xtic(5) with lines \
    title columnheader(1), \
    for [i=0:values_blocks-1] values index i using 1:2:3:4 with yerrorbars \
    pt 7 notitle
