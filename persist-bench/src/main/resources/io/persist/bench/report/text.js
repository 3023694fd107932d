"use strict";
/* Numbers as text, and text as elements. What comes from files becomes text nodes, never markup. */

const NS_UNITS = [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]];
const COUNT_UNITS = [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"]];

/* With three digits and the unit in which there are one to three of them before the point. */
function inUnit(value, units, isShort) {
  const rounded = Number(value.toPrecision(3));
  let unit = units[0];
  for (const each of units) {
    if (Math.abs(rounded) >= each[0]) {
      unit = each;
    }
  }
  const scaled = rounded / unit[0];
  const decimals = unit[0] === 1 || scaled === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(scaled))));
  const text = scaled.toFixed(decimals);
  return (isShort && text.includes(".") ? text.replace(/\.?0+$/, "") : text) + (unit[1] ? "\u00a0" + unit[1] : "");
}

function latencyText(ns) {
  return inUnit(ns, NS_UNITS, false);
}

/* For axes: no zeros behind the point. */
function shortLatency(ns) {
  return inUnit(ns, NS_UNITS, true);
}

function shortCount(count) {
  return inUnit(count, COUNT_UNITS, true);
}

function grouped(number) {
  return Math.round(number).toLocaleString("en");
}

function figureText(number) {
  return number.toLocaleString("en", { maximumFractionDigits: Math.abs(number) < 100 ? 3 : 1 });
}

/* "99.9%" of 1 / (1 - 0.999). */
function percentText(oneOf) {
  const nines = Math.round(Math.log10(oneOf));
  if (nines > 2 && Math.abs(Math.log10(oneOf) - nines) < 1e-9) {
    return "99." + "9".repeat(nines - 2) + "%";
  }
  const digits = Math.max(0, Math.ceil(Math.log10(oneOf)) - 1);
  return Number((100 * (1 - 1 / oneOf)).toFixed(digits)) + "%";
}

/* "99.9%" of so few values is the longest one: of 1,000 values the 99.99th is. */
function isMaximum(percentile, count) {
  return count * (100 - percentile) < 100 - 1e-6;
}

/* The name, or the first one of "name (2)", "name (3)" that is free: what was measured twice hides nothing. */
function freeName(name, isTaken) {
  let free = name;
  for (let i = 2; isTaken(free); i++) {
    free = name + " (" + i + ")";
  }
  return free;
}

/* Behind the name of a run that has others of other disks beside it. */
function placeText(run, runs) {
  const place = each => [each.parameters.directory, each.environment.device].filter(Boolean).join(", ");
  return new Set(runs.map(place)).size > 1 ? ", in " + (place(run) || "a place that is not known") : "";
}

function element(name, attributes, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) {
      created.setAttribute(key, "");
    } else if (value !== false) {
      created.setAttribute(key, value);
    }
  }
  created.append(...children);
  return created;
}

function svg(name, attributes, ...children) {
  const created = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    created.setAttribute(key, value);
  }
  created.append(...children);
  return created;
}

/* A table whose first column heads the rows. */
function table(caption, head, rows, textColumns = 1) {
  const cell = (tag, column, attributes, content) =>
    element(tag, Object.assign(column < textColumns ? { class: "text" } : {}, attributes), content);
  return element("table", {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head.map((each, i) => cell("th", i, { scope: "col" }, each)))),
    element("tbody", {}, ...rows.map(row => element("tr", {},
      ...row.map((each, i) => cell(i === 0 ? "th" : "td", i, i === 0 ? { scope: "row" } : {}, each))))));
}

function pairs(entries) {
  return element("dl", {}, ...entries.flatMap(([name, value]) => [
    element("dt", {}, name),
    element("dd", {}, value),
  ]));
}

/* Shows what make returns, which is made when it is looked at. */
function fillWhenOpened(details, make) {
  const fill = () => {
    details.querySelectorAll(".scroll").forEach(old => old.remove());
    if (details.open) {
      details.append(element("div", { class: "scroll", tabindex: "0" }, make()));
    }
  };
  details.ontoggle = fill;
  fill();
}
