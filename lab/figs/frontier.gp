# figure: Packets lost, by variant and value of the sweep
# of: a22-headroom-pool
# needs: 'sweep' and 'variants', as a22/headroom-pool has
# source: runs
# data cells: WITH v AS (SELECT number, value AS variant FROM params WHERE
#   name = 'variant'), p AS (SELECT number, value + 0 AS value FROM params
#   WHERE name = (SELECT name FROM params WHERE name <> 'variant' AND value + 0
#   > 0 LIMIT 1)) SELECT 'cells', dense_rank() OVER (ORDER BY p.value),
#   dense_rank() OVER (ORDER BY length(variant), variant), max(drops), p.value,
#   variant FROM runs JOIN v USING (number) JOIN p USING (number)
#   GROUP BY p.value, variant ORDER BY 2, 3
set xlabel "value of the sweep"
set ylabel "variant" offset -2
set cblabel "packets lost"
set palette defined (0 "#e8f4e8", 1 "#ffe0a0", 4 "#c03020")
set xtics nomirror
set ytics noenhanced
set offsets 0.5, 0.5, 0.5, 0.5
set style fill solid
unset key
plot cells using 1:2:(0.45):(0.45):3:xtic(4):ytic(5) with boxxyerror \
    palette, \
    cells using 1:2:3 with labels
