/* Levels over time: of each name a chart, with a line for each run that has it. */

function levelNames(runs) {
  return [...new Set(runs.flatMap(run => Object.keys(run.levels)))];
}

function levelsOf(runs, name) {
  return runs.filter(run => Object.hasOwn(run.levels, name));
}

function levelUnit(runs, name) {
  const endNs = Math.max(...runs.flatMap(run => run.levels[name].map(point => point[0])));
  return endNs < 2e9 ? [1e6, "ms"] : endNs < 6e11 ? [1e9, "s"] : [6e10, "min"];
}

/* A panel that stays, with a canvas that the charts are drawn into. */
function levelPanel(name) {
  const canvas = element("canvas", { role: "img" });
  const legend = element("div", { class: "legend" });
  const details = element("details", {}, element("summary", {}, "The levels as a table"));
  const panel = element("article", { class: "panel" },
    element("h3", {}, element("span", {}, name)), legend, element("div", { class: "chart" }, canvas), details);
  byId("levels").append(panel);
  return { name, canvas, legend, details, panel };
}

function levelTable(runs, name) {
  const [unitNs, unit] = levelUnit(runs, name);
  return table("Levels: " + name, ["run", unit, name], runs.flatMap(run => run.levels[name].map(point =>
    [element("span", {}, ...runTitle(run)), (point[0] / unitNs).toFixed(1), figureText(point[1])])));
}

function levelChart(panel, runs) {
  const { name, canvas } = panel;
  const [unitNs, unit] = levelUnit(runs, name);
  const last = run => run.levels[name][run.levels[name].length - 1][1];
  canvas.setAttribute("aria-label", name + " over time. "
    + runs.map(run => run.label + ": " + figureText(last(run)) + " in the end").join(". "));
  panel.legend.replaceChildren(...runs.map(run =>
    element("span", {}, swatch(run.colour, [], null), element("span", {}, ...runTitle(run)))));
  return new Chart(canvas, {
    type: "line",
    data: {
      datasets: runs.map(run => ({
        label: run.label,
        data: run.levels[name].map(point => ({ x: point[0] / unitNs, y: point[1] })),
        borderColor: colour(run.colour),
        backgroundColor: colour(run.colour),
        borderWidth: 2,
        pointRadius: run.levels[name].length <= 40 ? 2.5 : 0,
        pointHoverRadius: 4,
        clip: 6,
      })),
    },
    options: {
      ...OPTIONS,
      layout: { padding: { top: 8, right: 8 } },
      interaction: { mode: "nearest", axis: "x", intersect: false },
      scales: {
        x: {
          type: "linear",
          min: 0,
          title: axisTitle("time since the start, " + unit),
          ticks: { color: colour("faint"), maxTicksLimit: 8, maxRotation: 0, includeBounds: false },
          grid: { color: colour("grid") },
          border: { color: colour("line") },
        },
        y: {
          type: "linear",
          min: 0,
          ticks: { color: colour("faint"), maxTicksLimit: 6 },
          grid: { color: colour("grid") },
          border: { color: colour("line") },
        },
      },
      plugins: {
        legend: { display: false },
        tooltip: tooltip({
          title: items => (items.length ? items[0].parsed.x.toFixed(1) + " " + unit : ""),
          label: item => item.dataset.label + ": " + figureText(item.raw.y),
        }),
      },
    },
  });
}
