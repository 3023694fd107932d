/* The page: what is chosen, and what is drawn of it. */

const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);

/* Of several latencies the one that is all of a write: detached, until the record is as safe as it was meant to be.
   With a rate, each of the first two is from the time at which the write was meant to begin. */
const MAIN_SERIES = ["durable", "response", "total", "write"];

function mainOf(run) {
  const known = MAIN_SERIES.map(name => run.series.findIndex(each => each.name === name)).find(index => index >= 0);
  return known === undefined ? 0 : known;
}

/* A curve is a series of a run. Colour and mark tell runs apart, or the series of a single run; dashes tell series. */
data.runs.forEach((run, index) => {
  run.number = index + 1;
  run.colour = "c" + index % COLOURS;
});
const isSingle = data.runs.length === 1;
const curves = data.runs.flatMap((run, runIndex) => run.series.map((series, index) => {
  const main = mainOf(run);
  const others = index === main ? 0 : index < main ? index + 1 : index;
  const look = isSingle ? index : runIndex;
  return {
    run,
    series,
    label: (isSingle ? "" : run.number + " ") + run.label + ", " + series.name,
    isMain: index === main,
    isChosen: series.count > 0 && (isSingle || index === main),
    colour: "c" + look % COLOURS,
    mark: MARKS[look % MARKS.length],
    dash: DASHES[(others + 3 * Math.floor(look / 12)) % DASHES.length],
    points: curvePoints(series, data.curvePointsPerDecade),
  };
}));

const sweeps = sweepGroups(data.runs);

function runTitle(run) {
  return [...(isSingle ? [] : [element("span", { class: "number" }, String(run.number))]), run.label];
}

function showChoice() {
  for (const run of data.runs) {
    const boxes = curves.filter(curve => curve.run === run).map(curve => {
      const box = element("input", { type: "checkbox", disabled: curve.series.count === 0 });
      curve.box = box;
      box.onchange = () => {
        curve.isChosen = box.checked;
        draw();
      };
      return element("label", {}, box, swatch(curve.colour, curve.dash, curve.mark), curve.series.name
        + (curve.series.count === 0 ? " (no values)" : ""));
    });
    byId("choice").append(element("fieldset", {}, element("legend", {}, ...runTitle(run)), ...boxes));
  }
  const names = [...new Set(curves.map(curve => curve.series.name))];
  const presets = [
    ...(isSingle ? [] : [["one of each", curve => curve.isMain]]),
    ...(names.length > 1 && names.length <= 12 ? names.map(name => [name, curve => curve.series.name === name]) : []),
    ["all", () => true],
    ["none", () => false],
  ];
  presets.forEach(([name, test]) => {
    const button = element("button", { type: "button" }, name);
    button.onclick = () => {
      curves.forEach(curve => { curve.isChosen = curve.series.count > 0 && test(curve); });
      draw();
    };
    byId("presets").append(button);
  });
  byId("presets").hidden = curves.length === 1;
  byId("choice-note").hidden = curves.length === 1;
}

function showLegend() {
  const known = new Set(data.runs.flatMap(run => run.eventNames));
  byId("times-legend").append(
    ...QUANTILES.map(each => element("span", {}, swatch(each.colour, each.dash, null, each.width), each.name)),
    ...Object.keys(EVENTS).filter(name => known.has(name)).map(name => {
      const mark = EVENTS[name].pointStyle;
      const sample = mark === "line" ? swatch("text", [0, 13, 2, 99], null, 10) : swatch("page", [], mark, 0);
      if (mark !== "line") {
        sample.lastChild.style.fill = "var(--" + (EVENTS[name].colour || "text") + ")";
      }
      return element("span", {}, sample, EVENTS[name].meaning);
    }));
}

function panelOf(curve) {
  if (!curve.panel) {
    curve.canvas = element("canvas", { role: "img" });
    curve.details = element("details", {}, element("summary", {}, "The intervals as a table"));
    fillWhenOpened(curve.details, () => timeTable(curve));
    curve.panel = element("article", { class: "panel" },
      element("h3", {},
        swatch(curve.colour, curve.dash, curve.mark),
        element("span", {}, ...runTitle(curve.run), ", " + curve.series.name)),
      element("div", { class: "chart" }, curve.canvas),
      curve.details);
    byId("panels").append(curve.panel);
  }
  return curve.panel;
}

const charts = [];
const levelPanels = levelNames(data.runs).map(levelPanel);
levelPanels.forEach(each =>
  fillWhenOpened(each.details, () => levelTable(levelsOf(data.runs, each.name), each.name)));

function draw() {
  charts.splice(0).forEach(chart => chart.destroy());
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  if (sweeps.size > 0) {
    charts.push(sweepChart(byId("sweep"), sweeps));
  }
  const chosen = curves.filter(curve => curve.isChosen);
  curves.forEach(curve => {
    curve.box.checked = curve.isChosen;
    if (curve.panel) {
      curve.panel.hidden = true;
    }
  });
  document.querySelectorAll("section.charts").forEach(section => { section.hidden = chosen.length === 0; });
  const runs = data.runs.filter(run => chosen.some(curve => curve.run === run) && run.perSecond > 0);
  byId("rates-section").hidden = runs.length < 2;
  byId("levels-section").hidden = levelNames(runs).length === 0;
  if (chosen.length === 0) {
    return;
  }
  charts.push(percentileChart(byId("percentiles"), chosen));
  fillWhenOpened(byId("percentiles-data"), () => curveTable(chosen));
  if (runs.length > 1) {
    byId("rates-frame").style.height = 70 + 32 * runs.length + "px";
    charts.push(rateChart(byId("rates"), runs));
  }
  const timed = chosen.filter(curve => curve.series.slices.length > 1 || curve.run.slices.length > 1);
  byId("times-section").hidden = timed.length === 0;
  const range = latencyRange(timed.flatMap(curve => curve.series.slices.filter(slice => slice[2] > 0)
    .flatMap(slice => [slice[3], slice[5]])));
  timed.forEach(curve => {
    panelOf(curve).hidden = false;
    charts.push(timeChart(curve.canvas, curve, range));
  });
  levelPanels.forEach(each => {
    const known = levelsOf(runs, each.name);
    each.panel.hidden = known.length === 0;
    if (known.length > 0) {
      charts.push(levelChart(each, known));
    }
  });
}

function curveTable(chosen) {
  const shares = [1, 2, 4, 10, 20, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
  const at = (curve, oneOf) => {
    const points = curve.points;
    const found = points.find(point => point.x >= oneOf * 0.999);
    return found && !found.isMax ? latencyText(found.y) : "";
  };
  const rows = shares.filter(oneOf => chosen.some(curve => at(curve, oneOf)))
    .map(oneOf => [percentText(oneOf), ...chosen.map(curve => at(curve, oneOf))]);
  rows.push(["maximum", ...chosen.map(curve => latencyText(curve.series.maxNs))]);
  return table("Latencies by percentile", ["percentile", ...chosen.map(curve => curve.label)], rows);
}

/* In place of those of a run that has none. */
const NO_SERIES = { name: "", count: 0, percentilesNs: data.percentiles, maxNs: 0, meanNs: 0 };

function showNumbers() {
  const head = ["run", "per second", "series", "count", ...data.percentiles.map(each => "p" + each), "max", "mean"];
  const body = element("tbody", {});
  const rowsOf = run => (run.series.length > 0 ? run.series : [NO_SERIES]);
  data.runs.forEach(run => rowsOf(run).forEach((series, i) => {
    const row = element("tr", {});
    if (i === 0) {
      row.append(
        element("th", { scope: "rowgroup", rowspan: rowsOf(run).length }, ...runTitle(run)),
        element("td", { rowspan: rowsOf(run).length }, run.perSecond > 0 ? grouped(run.perSecond) : ""));
    }
    const values = [...series.percentilesNs, series.maxNs, series.meanNs];
    const mark = i => (i < data.percentiles.length && isMaximum(data.percentiles[i], series.count) ? "*" : "");
    row.append(
      element("td", { class: "text" }, series.name),
      element("td", {}, grouped(series === NO_SERIES ? run.count : series.count)),
      ...values.map((ns, i) => element("td", {}, series.count > 0 ? latencyText(ns) + mark(i) : "")));
    body.append(row);
  }));
  const isText = i => i === 0 || i === 2;
  byId("numbers").append(element("table", {},
    element("caption", {}, "Latencies of all series"),
    element("thead", {}, element("tr", {},
      ...head.map((each, i) => element("th", isText(i) ? { scope: "col", class: "text" } : { scope: "col" }, each)))),
    body));
}

function showFigures() {
  const names = [...new Set(data.runs.flatMap(run => Object.keys(run.figures)))];
  byId("figures-section").hidden = names.length === 0;
  const number = (run, name) => (Object.hasOwn(run.figures, name) ? figureText(run.figures[name]) : "");
  const rows = data.runs.filter(run => Object.keys(run.figures).length > 0)
    .map(run => [element("span", {}, ...runTitle(run)), ...names.map(name => number(run, name))]);
  byId("figures").append(table("Figures of the runs", ["run", ...names], rows));
}

/* What all runs have in common is there once; the rest is at each run. */
function showMachine() {
  const known = data.runs.filter(run => Object.keys(run.environment).length > 0);
  const names = [...new Set(known.flatMap(run => Object.keys(run.environment)))];
  const common = names.filter(name => new Set(known.map(run => run.environment[name])).size === 1);
  const different = names.filter(name => !common.includes(name));
  byId("machine-section").hidden = common.length === 0;
  byId("machine").append(pairs(common.map(name => [name, known[0].environment[name]])));
  const unknown = data.runs.filter(run => !known.includes(run)).map(run => run.label);
  byId("machine-note").textContent = [
    different.length > 0 ? "The runs differ in: " + different.join(", ") + "." : "",
    unknown.length > 0 ? "Not known of " + unknown.join(", ") + "." : "",
  ].filter(Boolean).join(" ");
  byId("machine-note").hidden = !byId("machine-note").textContent;
  return different;
}

/* Lines break between arguments, not at the hyphens in them. */
function words(command) {
  return command.split(" ").flatMap((word, i) => [...(i > 0 ? [" "] : []), element("span", {}, word)]);
}

function showCommands(different) {
  for (const run of data.runs) {
    const facts = [
      ["started", run.startedAt],
      ["took", run.elapsedNs > 0 ? latencyText(run.elapsedNs)
        + (run.count > 0 ? " for " + grouped(run.count) + " operations" : "") : ""],
      ["directory", run.directory],
      ...different.filter(name => Object.hasOwn(run.environment, name)).map(name => [name, run.environment[name]]),
    ].filter(([, value]) => value);
    const parameters = Object.entries(run.parameters);
    byId("commands").append(element("article", { class: "run" },
      element("h3", {}, element("span", {}, ...runTitle(run))),
      run.command
        ? element("pre", { tabindex: "0" }, element("code", {}, ...words(run.command)))
        : element("p", { class: "note" }, "Its command is not known."),
      pairs(facts),
      ...(parameters.length > 0
        ? [element("details", {}, element("summary", {}, "Parameters"), pairs(parameters))]
        : [])));
  }
}

byId("about").textContent = data.runs.length + (isSingle ? " run" : " runs") + ". Made by bin/persist report at "
  + data.madeAt + ".";
showMatrix();
showSweep();
showChoice();
showLegend();
showNumbers();
showFigures();
showCommands(showMachine());
draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
