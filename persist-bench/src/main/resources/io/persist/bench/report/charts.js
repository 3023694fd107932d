/* What all charts have in common, the curves of percentiles, and the bars of throughput. */

const COLOURS = 6;
const MARKS = ["circle", "triangle", "rect", "rectRot"];
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [14, 4], [5, 2, 1, 2, 1, 2]];
const MARK_SHAPES = {
  circle: { d: "M18 7a4 4 0 1 0-8 0a4 4 0 1 0 8 0z" },
  triangle: { d: "M14 2.5L18.5 10.5H9.5z" },
  rect: { d: "M10.5 3.5h7v7h-7z" },
  rectRot: { d: "M14 1.8L19.2 7L14 12.2L8.8 7z" },
};

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/* A line as in the charts; its colours follow the scheme by themselves. */
function swatch(colourName, dash, mark, width = 2) {
  const stroke = "var(--" + colourName + ")";
  const line = svg("path", { d: "M0 7H28", fill: "none", "stroke-width": width, "stroke-dasharray": dash.join(" ") });
  line.style.stroke = stroke;
  const size = { width: 28, height: 14, viewBox: "0 0 28 14" };
  const sample = svg("svg", { class: "swatch", ...size, "aria-hidden": "true" }, line);
  if (mark) {
    const shape = svg("path", MARK_SHAPES[mark]);
    shape.style.fill = stroke;
    sample.append(shape);
  }
  return sample;
}

/* Latencies that a logarithmic axis can show, from 1, 2 or 5 of a unit on up to such a number. */
function latencyRange(values) {
  let min = Infinity;
  let max = 1;
  for (const value of values) {
    min = Math.min(min, Math.max(1, value));
    max = Math.max(max, value);
  }
  min = Math.min(min, max);
  const steps = [1, 2, 5, 10];
  const below = Math.pow(10, Math.floor(Math.log10(min)));
  const above = Math.pow(10, Math.floor(Math.log10(max)));
  return {
    min: below * steps.filter(step => below * step <= min).pop(),
    max: above * steps.find(step => above * step > max * 0.999),
  };
}

function latencyAxis(range, more) {
  const decades = Math.log10(range.max / range.min);
  const steps = decades < 2.5 ? [1, 2, 5] : [1];
  return Object.assign({
    type: "logarithmic",
    min: range.min,
    max: range.max > range.min ? range.max : range.min * 10,
    afterBuildTicks: axis => {
      axis.ticks = [];
      for (let unit = 1; unit <= axis.max; unit *= 10) {
        steps.map(step => step * unit)
          .filter(value => value >= axis.min && value <= axis.max)
          .forEach(value => axis.ticks.push({ value }));
      }
    },
    ticks: { callback: value => shortLatency(value), color: colour("faint"), autoSkip: false },
    grid: { color: colour("grid") },
    border: { color: colour("line") },
  }, more);
}

function axisTitle(text) {
  return { display: true, text, color: colour("faint") };
}

function tooltip(callbacks) {
  return {
    backgroundColor: colour("card"),
    titleColor: colour("text"),
    bodyColor: colour("text"),
    footerColor: colour("faint"),
    footerFont: { weight: "normal" },
    borderColor: colour("line"),
    borderWidth: 1,
    usePointStyle: true,
    boxPadding: 4,
    callbacks,
  };
}

const OPTIONS = { animation: false, responsive: true, maintainAspectRatio: false };

function curvePoints(series, perDecade) {
  const last = series.curveNs.length - 1;
  return series.curveNs.map((ns, i) => ({
    x: i === last ? Math.max(series.count, 1) : Math.pow(10, i / perDecade),
    y: Math.max(1, ns),
    isMarked: i === last || i > 0 && i % perDecade === 0,
    isMax: i === last,
  }));
}

function percentileChart(canvas, curves) {
  const points = curves.map(curve => curve.points);
  const maxOneOf = Math.max(10, ...points.map(each => each[each.length - 1].x));
  canvas.setAttribute("aria-label", "Latencies by percentile. " + curves.map(curve =>
    curve.label + ": half took at most " + latencyText(curve.series.percentilesNs[0]) + ", the longest "
      + latencyText(curve.series.maxNs)).join(". "));
  return new Chart(canvas, {
    type: "line",
    data: {
      datasets: curves.map((curve, i) => ({
        label: curve.label,
        data: points[i],
        borderColor: colour(curve.colour),
        backgroundColor: colour(curve.colour),
        borderDash: curve.dash,
        borderWidth: 2,
        pointStyle: curve.mark,
        pointRadius: context => (context.raw && context.raw.isMarked ? 4.5 : 0),
        pointHoverRadius: 6,
        clip: 8,
      })),
    },
    options: {
      ...OPTIONS,
      layout: { padding: { top: 8, right: 8 } },
      interaction: { mode: "index", intersect: false },
      scales: {
        x: {
          type: "logarithmic",
          min: 1,
          max: maxOneOf * 1.05,
          title: axisTitle("percentile"),
          afterBuildTicks: axis => {
            axis.ticks = [{ value: 1 }, { value: 2 }];
            for (let oneOf = 10; oneOf <= axis.max; oneOf *= 10) {
              axis.ticks.push({ value: oneOf });
            }
          },
          ticks: { callback: percentText, color: colour("faint"), maxRotation: 0, autoSkipPadding: 8 },
          grid: { color: colour("grid") },
          border: { color: colour("line") },
        },
        y: latencyAxis(latencyRange(points.flat().map(point => point.y)), { title: axisTitle("latency") }),
      },
      plugins: {
        legend: { display: false },
        tooltip: tooltip({
          title: items => (items.length ? percentText(items[0].raw.x) : ""),
          label: item => item.dataset.label + ": " + latencyText(item.raw.y) + (item.raw.isMax ? " at most" : ""),
        }),
      },
    },
  });
}

/* The rates at the ends of their bars. */
const BAR_LABELS = {
  id: "barLabels",
  afterDatasetsDraw(chart) {
    const context = chart.ctx;
    context.save();
    context.font = Chart.helpers.toFont(chart.options.font).string;
    context.fillStyle = colour("text");
    context.textBaseline = "middle";
    chart.getDatasetMeta(0).data.forEach((bar, i) =>
      context.fillText(" " + shortCount(chart.data.datasets[0].data[i]) + "/s", bar.x, bar.y));
    context.restore();
  },
};

function rateChart(canvas, runs) {
  canvas.setAttribute("aria-label", "Operations per second. " + runs.map(run =>
    run.label + ": " + grouped(run.perSecond)).join(". "));
  const isNarrow = canvas.parentElement.clientWidth < 640;
  const labels = runs.map(run => run.number + (isNarrow ? "" : "  " + shortened(run.label, 38)));
  return new Chart(canvas, {
    type: "bar",
    data: {
      labels,
      datasets: [{
        data: runs.map(run => run.perSecond),
        backgroundColor: runs.map(run => colour(run.colour)),
        maxBarThickness: 22,
      }],
    },
    options: {
      ...OPTIONS,
      indexAxis: "y",
      layout: { padding: { right: 64 } },
      scales: {
        x: {
          beginAtZero: true,
          title: axisTitle("operations per second"),
          ticks: { callback: value => shortCount(value), color: colour("faint"), maxTicksLimit: 7, maxRotation: 0 },
          grid: { color: colour("grid") },
          border: { color: colour("line") },
        },
        y: {
          ticks: { color: colour("text"), autoSkip: false },
          grid: { display: false },
          border: { color: colour("line") },
        },
      },
      plugins: {
        legend: { display: false },
        tooltip: tooltip({
          title: items => runs[items[0].dataIndex].label,
          label: item => grouped(item.raw) + " per second",
        }),
      },
    },
    plugins: [BAR_LABELS],
  });
}

function shortened(text, length) {
  return text.length <= length ? text : text.slice(0, length - 1) + "…";
}
