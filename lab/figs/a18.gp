# figure: What path, sender, network and receiver take of an operation, by fault
# of: a18-sides
# needs: variants, and expectations named 'part: ...', as a18/sides has
# source: runs
# data parts: WITH v AS (SELECT number, value AS variant FROM params WHERE name =
#   'variant'), p AS (SELECT substr(d.text, 7) AS part, v.variant, min(d.number) AS
#   at, avg(d.value) * 1e6 AS us FROM verdicts d JOIN v USING (number) WHERE
#   d.text LIKE 'part: %' GROUP BY 1, 2) SELECT part, variant, us FROM p ORDER BY
#   CASE part WHEN 'path and queue' THEN 0 WHEN 'sender' THEN 1 WHEN 'network'
#   THEN 2 ELSE 3 END, at
set ylabel "mean of an operation, us"
set yrange [0:*]
set key outside below noenhanced
set style data histograms
set style histogram rowstacked
set style fill solid 0.7
set boxwidth 0.8
set xtics rotate by -45 noenhanced font ",8"
plot for [i=0:parts_blocks-1] parts index i using 2:xtic(1) \
    title columnheader(1)
