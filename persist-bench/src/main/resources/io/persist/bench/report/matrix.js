/* The matrix of the device benchmark: a row for each engine, a column for each thing done, the rate as the colour. */

function isCell(run) {
  return run.program === "device" && Object.hasOwn(run.parameters, "engine");
}

function cellColumn(run) {
  return run.parameters.pattern + " " + run.parameters.action;
}

/* From none to all of the largest rate of the table, on a logarithmic scale: rates differ by factors. */
function heat(value, min, max) {
  return value <= 0 ? 0 : max > min ? Math.log(value / min) / Math.log(max / min) : 1;
}

function heatCell(run, min, max) {
  if (!run) {
    return element("td", {});
  }
  if (run.parameters.missing) {
    return element("td", { class: "empty", title: run.parameters.missing }, "not measured");
  }
  const rate = run.figures["ops/s"] || 0;
  const cell = element("td", { title: cellText(run) }, grouped(rate) + (run.parameters.cached ? " cached" : ""));
  const share = Math.round(10 + 60 * heat(rate, min, max));
  cell.style.background = "color-mix(in srgb, var(--heat) " + share + "%, transparent)";
  return cell;
}

function cellText(run) {
  const texts = [grouped(run.figures["MB/s"] || 0) + " MB/s"];
  if (run.series.length > 0) {
    texts.push("p50 " + latencyText(run.series[0].percentilesNs[0]), "max " + latencyText(run.series[0].maxNs));
  }
  ["source ops/s", "fio ops/s", "ratio to fio"].filter(name => Object.hasOwn(run.figures, name))
    .forEach(name => texts.push(name + " " + figureText(run.figures[name])));
  if (run.parameters.note) {
    texts.push(run.parameters.note);
  }
  return texts.join(", ");
}

/* Cells of one table have the same blocks, files, length of these, depth and disk: else none could be compared. */
function matrixGroups(runs) {
  const groups = new Map();
  const cells = runs.filter(isCell);
  cells.forEach(run => {
    const each = run.parameters;
    const name = grouped(Number(each.block)) + " bytes, " + each.files + (each.files === "1" ? " file" : " files")
      + " of " + grouped(Number(each.fileSize)) + " bytes, depth " + each.depth
      + placeText(run, cells);
    groups.set(name, [...(groups.get(name) || []), run]);
  });
  return groups;
}

/* A row for each engine, and another one for what was measured again. */
function heatRows(runs) {
  const rows = new Map();
  runs.forEach(run => {
    const column = cellColumn(run);
    const name = freeName(run.parameters.engine, each => rows.has(each) && rows.get(each).has(column));
    rows.set(name, (rows.get(name) || new Map()).set(column, run));
  });
  return rows;
}

function heatTable(name, runs) {
  const columns = [...new Set(runs.map(cellColumn))];
  const rates = runs.map(run => run.figures["ops/s"] || 0).filter(rate => rate > 0);
  const min = Math.min(...rates);
  const max = Math.max(...rates);
  return element("table", { class: "heat" },
    element("caption", {}, "Operations per second, blocks of " + name),
    element("thead", {}, element("tr", {},
      ...["engine", ...columns].map((each, i) => element("th", i === 0
        ? { scope: "col", class: "text" } : { scope: "col" }, each)))),
    element("tbody", {}, ...[...heatRows(runs)].map(([engine, cells]) => element("tr", {},
      element("th", { scope: "row" }, engine),
      ...columns.map(column => heatCell(cells.get(column), min, max))))));
}

/* The engines of one column, the fastest first: a bar for each, and a line where fio was. */
function barFigure(column, runs) {
  const measured = runs.filter(run => cellColumn(run) === column && !run.parameters.missing && run.figures["ops/s"] > 0)
    .sort((a, b) => b.figures["ops/s"] - a.figures["ops/s"]);
  const most = Math.max(...measured.flatMap(run => [run.figures["ops/s"], run.figures["fio ops/s"] || 0]));
  return element("figure", { class: "bars" },
    element("figcaption", {}, column),
    ...measured.flatMap(run => {
      const track = element("span", { class: "track", title: cellText(run) }, element("span", { class: "bar" }));
      track.firstChild.style.width = 100 * run.figures["ops/s"] / most + "%";
      if (run.figures["fio ops/s"]) {
        track.append(element("span", { class: "mark" }));
        track.lastChild.style.left = 100 * run.figures["fio ops/s"] / most + "%";
      }
      return [element("span", {}, run.parameters.engine), track,
        element("span", { class: "rate" }, grouped(run.figures["ops/s"]) + (run.parameters.cached ? " cached" : ""))];
    }));
}

function barFigures(runs) {
  const columns = [...new Set(runs.map(cellColumn))];
  return element("div", { class: "figures" },
    ...columns.map(column => barFigure(column, runs)).filter(figure => figure.childElementCount > 1));
}

/* What could not be measured, once for each engine that has the same reason; then what is not as it was asked for. */
function missingList(runs) {
  const reasons = new Map();
  runs.filter(run => isCell(run) && run.parameters.missing).forEach(run =>
    reasons.set(run.parameters.engine + ": " + run.parameters.missing, true));
  const notes = runs.filter(run => isCell(run) && run.parameters.note)
    .map(run => run.label + ": " + run.parameters.note);
  return [...[...reasons.keys()].map(each => "Not measured: " + each), ...notes]
    .map(each => element("p", { class: "note" }, each + "."));
}

function showMatrix() {
  const groups = matrixGroups(data.runs);
  byId("matrix-section").hidden = groups.size === 0;
  groups.forEach((runs, name) => byId("matrix").append(heatTable(name, runs), barFigures(runs)));
  byId("matrix").append(...missingList(data.runs));
}
