# The live page, which orchd --http serves as it is.
pagedir = $(pkgdatadir)/page
dist_page_DATA = \
	page/alarms.js \
	page/api.js \
	page/buffer.js \
	page/canvas.js \
	page/chart.js \
	page/colours.js \
	page/configuration.js \
	page/connection.js \
	page/delta.js \
	page/elements.js \
	page/format.js \
	page/frames.js \
	page/heat_map.js \
	page/history.js \
	page/icon.svg \
	page/index.html \
	page/intervals.js \
	page/live.js \
	page/main.js \
	page/measures.js \
	page/overview.js \
	page/pause_windows.js \
	page/page.css \
	page/pg_bars.js \
	page/pool_bars.js \
	page/pool_chart.js \
	page/port.js \
	page/port_tables.js \
	page/priority_table.js \
	page/recent.js \
	page/rollback.js \
	page/row.js \
	page/storms.js \
	page/time_line.js \
	page/try.js \
	page/try_scenarios.js \
	page/watchdog.js
