/* Rows per second by the size of their batches: what was measured, and the model beside it. */

function isSweep(run) {
  return run.program === "rows" && ["rows/s", "model rows/s", "model sync µs", "model row µs"]
    .every(name => Object.hasOwn(run.figures, name));
}

/* A line for each engine of each call of the program, which has left its sizes side by side. */
function sweepGroups(runs) {
  const groups = new Map();
  const known = new Map();
  const sweeps = runs.filter(isSweep);
  sweeps.forEach(run => {
    const each = run.parameters;
    const name = each.engine + ", rows of " + each.rowSize + " bytes, " + each.journalMode + " " + each.synchronous
      + placeText(run, sweeps);
    const call = name + "\n" + run.directory.replace(/[/\\][^/\\]*$/, "");
    if (!known.has(call)) {
      known.set(call, []);
      groups.set(freeName(name, each => groups.has(each)), known.get(call));
    }
    known.get(call).push(run);
  });
  groups.forEach(group => group.sort((a, b) => batchOf(a) - batchOf(b)));
  return groups;
}

function batchOf(run) {
  return Number(run.parameters.batchSize);
}

function sweepTable(groups) {
  const rows = [...groups].flatMap(([name, runs]) => runs.map(run => [
    name,
    grouped(batchOf(run)),
    grouped(run.figures["rows/s"]),
    grouped(run.figures["model rows/s"]),
    figureText(run.figures["rows/s"] / run.figures["model rows/s"]),
  ]));
  return table("Rows per second by the size of the batches",
    ["engine", "batch", "rows per second", "model", "measured / model"], rows);
}

/* What a commit is worth, which differs between engines of the same modes. */
function sweepNotes(groups) {
  return [...groups].map(([name, runs]) => element("p", { class: "note" }, name + ": " + runs[0].parameters.durability
    + ". Model: sync " + figureText(runs[0].figures["model sync µs"]) + " µs, row "
    + figureText(runs[0].figures["model row µs"]) + " µs."));
}

function sweepLine(label, colourName, runs, figure, isModel) {
  return {
    label: label + (isModel ? ", model" : ""),
    data: runs.map(run => ({ x: batchOf(run), y: run.figures[figure] })),
    borderColor: colour(colourName),
    backgroundColor: colour(colourName),
    borderDash: isModel ? [6, 4] : [],
    borderWidth: 2,
    pointRadius: isModel ? 0 : 3.5,
  };
}

function sweepChart(canvas, groups) {
  canvas.setAttribute("aria-label", "Rows per second by the size of the batches. " + [...groups].map(([name, runs]) =>
    name + ": from " + grouped(runs[0].figures["rows/s"]) + " to "
      + grouped(runs[runs.length - 1].figures["rows/s"])).join(". "));
  const sizes = [...new Set([...groups.values()].flat().map(batchOf))].sort((a, b) => a - b);
  const axis = (title, maxTicksLimit, callback, more) => ({
    type: "logarithmic",
    title: axisTitle(title),
    ticks: { callback, color: colour("faint"), maxTicksLimit, maxRotation: 0 },
    grid: { color: colour("grid") },
    border: { color: colour("line") },
    ...more,
  });
  return new Chart(canvas, {
    type: "line",
    data: {
      datasets: [...groups].flatMap(([name, runs], i) => [
        sweepLine(name, "c" + i % COLOURS, runs, "rows/s", false),
        sweepLine(name, "c" + i % COLOURS, runs, "model rows/s", true),
      ]),
    },
    options: {
      ...OPTIONS,
      scales: {
        x: axis("rows in a batch", 13, value => grouped(value), {
          afterBuildTicks: scale => { scale.ticks = sizes.map(value => ({ value })); },
        }),
        y: axis("rows per second", 9, value => shortCount(value)),
      },
      plugins: {
        legend: {
          labels: {
            color: colour("text"),
            usePointStyle: true,
            pointStyle: "line",
            pointStyleWidth: 28,
            generateLabels: chart => Chart.defaults.plugins.legend.labels.generateLabels(chart)
              .map(label => ({ ...label, lineDash: chart.data.datasets[label.datasetIndex].borderDash })),
          },
        },
        tooltip: tooltip({
          title: items => (items.length ? "batches of " + grouped(items[0].raw.x) : ""),
          label: item => item.dataset.label + ": " + grouped(item.raw.y) + " rows/s",
        }),
      },
    },
  });
}

function showSweep() {
  byId("sweep-section").hidden = sweeps.size === 0;
  if (sweeps.size > 0) {
    byId("sweep-notes").append(...sweepNotes(sweeps));
    fillWhenOpened(byId("sweep-data"), () => sweepTable(sweeps));
  }
}
