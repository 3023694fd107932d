/* Latency over time: of each series a chart with the latencies, what happened to the log, and the throughput. */

const QUANTILES = [
  { name: "p50", column: 3, colour: "p50", dash: [], width: 2 },
  { name: "p99", column: 4, colour: "p99", dash: [6, 3], width: 2 },
  { name: "max", column: 5, colour: "max", dash: [2, 2], width: 1.25 },
];
const EVENTS = {
  rolls: { pointStyle: "triangle", meaning: "roll: on to the next segment file" },
  syncs: { pointStyle: "line", rotation: 90, meaning: "sync: the device was told to flush" },
  stalls: { pointStyle: "rectRot", meaning: "stall: the appender waited for a segment", colour: "warn" },
  "timer scans": { pointStyle: "rect", meaning: "timer scan: matured timers were deleted" },
};
const FIRST_EVENT_COLUMN = 3;
/* More than these would be a grey area. */
const MAX_GUIDES = 40;

function middle(slice) {
  return (slice[0] + slice[1]) / 2;
}

function rateOf(slice) {
  return slice[1] > slice[0] ? slice[2] * 1e9 / (slice[1] - slice[0]) : 0;
}

/* Where nothing was measured there is no point; one alone between two such places would have no line to be seen by. */
function quantilePoints(series, column, unitNs) {
  const isEmpty = slice => !slice || slice[2] === 0;
  return series.slices.map((slice, i, all) => ({
    x: middle(slice) / unitNs,
    y: isEmpty(slice) ? null : Math.max(1, slice[column]),
    isAlone: isEmpty(all[i - 1]) && isEmpty(all[i + 1]),
    slice,
  }));
}

/* One after another with their ends, so that each interval is a step. */
function ratePoints(slices, unitNs) {
  const points = slices.map(slice => ({ x: slice[0] / unitNs, y: rateOf(slice) }));
  const last = slices[slices.length - 1];
  return points.concat({ x: last[1] / unitNs, y: rateOf(last) });
}

function eventPoints(run, name, unitNs) {
  const column = FIRST_EVENT_COLUMN + run.eventNames.indexOf(name);
  return run.slices.filter(slice => slice[column] > 0).map(slice => ({ x: middle(slice) / unitNs, y: name, slice }));
}

function eventsIn(run, slice) {
  const counts = run.eventNames.map((name, i) => [name, run.slices
    .filter(each => middle(each) >= slice[0] && middle(each) < slice[1])
    .reduce((sum, each) => sum + each[FIRST_EVENT_COLUMN + i], 0)]);
  return counts.filter(([, count]) => count > 0).map(([name, count]) => name + " " + grouped(count)).join(", ");
}

/* Faint lines from the marks of rare events through the latencies, which they may explain. */
const GUIDES = {
  id: "guides",
  beforeDatasetsDraw(chart) {
    const { ctx: context, chartArea: area, scales } = chart;
    chart.data.datasets.filter(set => set.isGuide && set.data.length <= MAX_GUIDES).forEach(set => {
      context.save();
      context.strokeStyle = set.borderColor;
      context.globalAlpha = 0.35;
      context.lineWidth = 1;
      context.beginPath();
      set.data.forEach(point => {
        const x = scales.x.getPixelForValue(point.x);
        context.moveTo(x, area.top);
        context.lineTo(x, area.bottom);
      });
      context.stroke();
      context.restore();
    });
  },
};

/* The latencies of the interval that is nearest to the pointer, whatever else is drawn there. */
Chart.Interaction.modes.interval = (chart, event) => {
  const x = chart.scales.x.getValueForPixel(Chart.helpers.getRelativePosition(event, chart).x);
  const points = chart.data.datasets[0].data;
  let nearest = -1;
  points.forEach((point, i) => {
    if (point.y !== null && (nearest < 0 || Math.abs(point.x - x) < Math.abs(points[nearest].x - x))) {
      nearest = i;
    }
  });
  return nearest < 0 ? [] : QUANTILES.map((quantile, datasetIndex) =>
    ({ datasetIndex, index: nearest, element: chart.getDatasetMeta(datasetIndex).data[nearest] }));
};

function eventDatasets(run, names, unitNs) {
  return names.map(name => {
    const known = Object.hasOwn(EVENTS, name) ? EVENTS[name] : { pointStyle: "crossRot" };
    return {
      label: name,
      type: "scatter",
      yAxisID: "events",
      data: eventPoints(run, name, unitNs),
      pointStyle: known.pointStyle,
      rotation: known.rotation || 0,
      pointRadius: 5,
      borderColor: colour(known.colour || "text"),
      backgroundColor: colour(known.colour || "text"),
      clip: 6,
      isGuide: name !== "syncs",
    };
  });
}

function timeChart(canvas, curve, range) {
  const { run, series } = curve;
  const endNs = Math.max(...series.slices.map(slice => slice[1]), ...run.slices.map(slice => slice[1]));
  const [unitNs, unit] = endNs < 2e9 ? [1e6, "ms"] : endNs < 6e11 ? [1e9, "s"] : [6e10, "min"];
  const names = run.eventNames.filter(name => eventPoints(run, name, 1).length > 0);
  const rates = run.slices.length > 0 ? run.slices : series.slices;
  const fewPoints = series.slices.length <= 40;
  const isNarrow = canvas.parentElement.clientWidth < 400;
  canvas.setAttribute("aria-label", "Latency over time of " + curve.label + ", " + series.slices.length
    + " intervals. The largest maximum is " + latencyText(series.maxNs) + ". "
    + names.map(name => name + " in " + eventPoints(run, name, 1).length + " of them").join(", "));
  const width = isNarrow ? 58 : 80;
  const stacked = { axis: "y", position: "left", stack: "panel", afterFit: axis => { axis.width = width; } };
  const titled = text => (isNarrow ? {} : { title: axisTitle(text) });
  const scales = {
    x: {
      type: "linear",
      min: 0,
      max: endNs / unitNs,
      title: axisTitle("time since the start, " + unit),
      ticks: { color: colour("faint"), maxTicksLimit: 8, maxRotation: 0, includeBounds: false },
      grid: { color: colour("grid") },
      border: { color: colour("line") },
    },
    rate: {
      ...stacked,
      type: "linear",
      stackWeight: 2,
      min: 0,
      // A little room above, where the marks are.
      max: 1.25 * Math.max(1e-9, ...rates.map(rateOf)),
      ...titled("rate, 1/s"),
      ticks: { callback: value => shortCount(value), color: colour("faint"), maxTicksLimit: 3, includeBounds: false },
      grid: { color: colour("grid") },
      border: { color: colour("line") },
    },
  };
  if (names.length > 0) {
    scales.events = {
      ...stacked,
      type: "category",
      labels: names,
      stackWeight: 0.65 * names.length,
      offset: true,
      ticks: { color: colour("faint"), autoSkip: false },
      grid: { display: false },
      border: { color: colour("line") },
    };
  }
  scales.latency = latencyAxis(range, { ...stacked, stackWeight: 5, ...titled("latency") });
  return new Chart(canvas, {
    type: "line",
    data: {
      datasets: [
        ...QUANTILES.map(quantile => ({
          label: quantile.name,
          yAxisID: "latency",
          data: quantilePoints(series, quantile.column, unitNs),
          borderColor: colour(quantile.colour),
          backgroundColor: colour(quantile.colour),
          borderDash: quantile.dash,
          borderWidth: quantile.width,
          pointRadius: context => (fewPoints || (context.raw && context.raw.isAlone) ? 2.5 : 0),
          pointHoverRadius: 4,
          clip: 6,
        })),
        ...eventDatasets(run, names, unitNs),
        {
          label: "rate",
          yAxisID: "rate",
          data: ratePoints(rates, unitNs),
          stepped: true,
          borderColor: colour("faint"),
          backgroundColor: colour("line"),
          borderWidth: 1,
          pointRadius: 0,
          pointHitRadius: 0,
          fill: "origin",
        },
      ],
    },
    options: {
      ...OPTIONS,
      layout: { padding: { right: 8 } },
      interaction: { mode: "interval", intersect: false },
      scales,
      plugins: {
        legend: { display: false },
        tooltip: tooltip({
          title: items => (items.length ? intervalText(items[0].raw.slice, unitNs, unit) : ""),
          label: item => item.dataset.label + " " + latencyText(item.raw.y),
          footer: items => (items.length ? [
            grouped(items[0].raw.slice[2]) + " values",
            eventsIn(run, items[0].raw.slice),
          ].filter(Boolean) : []),
        }),
      },
    },
    plugins: [GUIDES],
  });
}

function intervalText(slice, unitNs, unit) {
  const digits = unitNs === 1e6 ? 0 : 2;
  return (slice[0] / unitNs).toFixed(digits) + " to " + (slice[1] / unitNs).toFixed(digits) + " " + unit;
}

function timeTable(curve) {
  const { run, series } = curve;
  return table("Intervals of " + curve.label,
    ["from", "to", "values", "p50", "p99", "max", "events"],
    series.slices.map(slice => [
      shortLatency(slice[0]),
      shortLatency(slice[1]),
      grouped(slice[2]),
      ...slice.slice(3).map(ns => (slice[2] > 0 ? latencyText(ns) : "")),
      eventsIn(run, slice),
    ]));
}
