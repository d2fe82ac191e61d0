// The page: a header, and a section for each problem.

addEventListener("error", ({message}) => {
  document.body.append(html("p", {class: "error"}, `The report cannot be drawn: ${message}`));
});
const kReport = JSON.parse(document.getElementById("report-data").textContent);

const soft = (...content) => html("p", {class: "soft"}, ...content);
const under = (title, content) =>
  [content].flat(Infinity).some(part => part) ? [html("h3", {}, title), content] : null;
const table = (kind, head, rows) => html("div", {class: "scroll"}, html("table", {class: kind},
  html("thead", {}, html("tr", {}, head)), html("tbody", {}, rows)));
const cell = (kind, ...content) => html("td", {class: kind}, ...content);
const headCell = (kind, ...content) => html("th", {class: kind, scope: "col"}, ...content);
const rate = side => side ? rateText(side.rate, side.rate_unit) : "-";

function kernelMarkup({kernel, parameters}) {
  if (!kernel) return "-";
  return [html("strong", {}, kernel), Object.entries(parameters).map(([name, value]) =>
    [" ", html("code", {}, `${name}=${value}`)])];
}

function header({problems, command, budget, date}) {
  const origin = [date && `${date.slice(0, 16)} UTC`, budget && `budget ${timeText(budget)}`,
    command && html("code", {}, command)].filter(part => part);
  return html("header", {}, html("h1", {}, "Tuning report"), html("p", {}, deviceLine(problems[0])),
    origin.length > 0 ? soft(origin.map((part, i) => [i > 0 ? ", " : "", part])) : null,
    problems.length > 1 ? overview(problems) : null);
}

function deviceLine(problem) {
  if (!problem) return "Nothing was tuned.";
  const {device, platform, driver, compute_units, peak_flops, peak_bytes} = problem;
  const facts = [platform, driver && `driver ${driver}`,
    compute_units > 0 && counted(compute_units, "compute unit")].filter(fact => fact);
  const peak = !isPositive(peak_bytes) ? "" : "; measured peak " +
    (isPositive(peak_flops) ? `${rateText(peak_flops, "FLOP/s")}, ` : "") +
    `memory ${rateText(peak_bytes, "B/s")}`;
  return [html("strong", {}, device), facts.map(fact => `, ${fact}`), peak];
}

function speedupText({default_won, speedup}) {
  return default_won ? "none" : isKnown(speedup) ? `${threeDigits(speedup)} ×` : "-";
}

function overview(problems) {
  return table("overview", [headCell("", "problem"), headCell("number aside", "default"),
    headCell("number", "tuned"), headCell("number", "speedup"), headCell("", "winner")],
  problems.map((problem, i) => html("tr", {},
    cell("", html("a", {href: `#problem-${i + 1}`}, problem.name)),
    cell("number aside", rate(problem.default)), cell("number", rate(problem.tuned)),
    cell("number", speedupText(problem)), cell("", problem.tuned?.kernel ?? "-"))));
}

function stats(problem) {
  const stat = (kind, title, value, note) => html("div", {class: kind},
    html("span", {class: "label"}, title), html("span", {class: "figure"}, value),
    html("span", {class: "note"}, note));
  const note = side => !side ? "" : timeText(side.seconds) +
    (side.share_of_peak === null ? "" : `, ${threeDigits(100 * side.share_of_peak)} % of the peak`);
  const {default: own, tuned, default_won, speedup, speedup_lower, speedup_upper} = problem;
  const range = isKnown(speedup_lower) && isKnown(speedup_upper)
    ? `${speedup_lower.toFixed(2)} to ${speedup_upper.toFixed(2)} (95 %)`
    : "too few rounds for an interval";
  return html("div", {class: "stats"}, stat("stat", "default", rate(own), note(own)),
    stat("stat tuned", "tuned", rate(tuned), note(tuned)),
    !default_won && !isKnown(speedup) ? null
      : stat("stat", "speedup", speedupText(problem), default_won ? "the default won" : range),
    stat("stat", "wall time", timeText(problem.elapsed),
      `${problem.tried} of ${counted(problem.space, "configuration")}`));
}

function outcomes({outcomes, tried}) {
  if (tried === 0) return null;
  let left = 0;
  const parts = Object.entries(outcomes).map(([outcome, count]) => {
    const part = svg("rect", {class: `part o-${idOf(outcome)}`, x: percent(left),
      width: percent(count / tried), height: 10}, hint(`${outcome}: ${count}`));
    left += count / tried;
    return part;
  });
  return [svg("svg", {class: "outcomes", height: 10, "aria-hidden": true}, parts),
    html("ul", {class: "legend"}, Object.entries(outcomes).map(([outcome, count]) =>
      html("li", {}, legendMark(outcome), ` ${outcome} `, html("b", {}, count),
        outcome === "slow" ? " (correct; timing stopped at 1.25 × the best)" : "")))];
}

function facts(problem) {
  return html("dl", {}, [
    ["winner", problem.tuned && kernelMarkup(problem.tuned)],
    ["default", problem.default_kernel.kernel && kernelMarkup(problem.default_kernel)],
    ["nearby", problem.nearby], ["checked", problem.checked], ["conclusion", problem.conclusion],
  ].map(([term, text]) => text ? [html("dt", {}, term), html("dd", {}, text)] : null));
}

// Finalists that take over so many times the winner's time would make dots of all intervals.
const kFarBehind = 1.5;

function finals({finalists, tuned}) {
  if (finalists.length === 0) return null;
  const first = finalists[0].seconds;
  const isNear = ({seconds, lower, upper}) =>
    [seconds, lower, upper].every(isKnown) && seconds <= kFarBehind * first;
  const near = finalists.filter(isNear);
  const low = Math.min(...near.map(finalist => finalist.lower));
  const high = Math.min(Math.max(...near.map(finalist => finalist.upper)), 2 * kFarBehind * first);
  const axis = linearAxis(low - 0.05 * (high - low), high + 0.05 * (high - low));
  const interval = finalist => svg("svg", {class: "interval", height: 16, role: "img",
    "aria-label": `${timeText(finalist.lower)} to ${timeText(finalist.upper)}`},
  isNear(finalist)
    ? [line("whisker", axis.at(finalist.lower), 8, axis.at(finalist.upper), 8),
      svg("circle", {class: "top", cx: percent(axis.at(finalist.seconds)), cy: 8, r: 3})]
    : finalist.seconds > kFarBehind * first
      ? label("end", 1, 12, `over ${kFarBehind} × the winner ›`) : null);
  const ratio = ({ratio_lower, ratio_upper, tied}, i) => i === 0 ? "1"
    : !isKnown(ratio_lower) || !isKnown(ratio_upper) ? html("em", {}, "too few rounds")
      : [`${ratio_lower.toFixed(3)} to ${ratio_upper.toFixed(3)}`,
        tied ? html("em", {}, " tied") : ""];
  const speed = seconds =>
    tuned ? rateText(tuned.rate * tuned.seconds / seconds, tuned.rate_unit) : "-";
  return table("finals", [headCell(""), headCell("", "kernel"), headCell("number", "time"),
    headCell("number aside", "rate"), headCell("aside", "time and its 95 % interval"),
    headCell("number", "time / the winner's")],
  finalists.map((finalist, i) => html("tr", {}, cell("number", i + 1),
    cell("kernel", kernelMarkup(finalist)), cell("number", timeText(finalist.seconds)),
    cell("number aside", speed(finalist.seconds)), cell("wide aside", interval(finalist)),
    cell("number", ratio(finalist, i)))));
}

function failures(problem) {
  if (problem.failures.length === 0) return null;
  return table("failures",
    [headCell("", "outcome"), headCell("number", "count"), headCell("", "the first")],
    problem.failures.map(failure => html("tr", {},
      html("th", {scope: "row"}, legendMark(failure.outcome), ` ${failure.outcome}`),
      cell("number", failure.count),
      cell("", html("p", {}, kernelText(failure)), html("pre", {}, failure.reason)))));
}

// Opens the first variant's charts, which are the winner's.
function parameterSections({variants, tuned}) {
  const sections = variants.filter(variant => variant.parameters.length > 0)
    .map(({kernel, parameters}, i) => html("details", i === 0 ? {open: ""} : {},
      html("summary", {}, html("strong", {}, kernel)),
      parameterCharts(parameters, kernel === tuned?.kernel ? tuned : null)));
  const legend = "A line reaches from the best time of a value, the dot, to the worst. A box " +
    "holds the middle half; the gap in it is the median. The winner's values are bold.";
  return sections.length === 0 ? null : [html("p", {class: "caption"}, legend), sections];
}

function section(problem, number) {
  const maps = problem.variants.map(variant => sizeChart(problem, variant)).filter(map => map);
  return html("section", {id: `problem-${number}`}, html("h2", {}, problem.name),
    soft(`Strategy ${problem.strategy}, seed ${problem.seed}`),
    stats(problem), outcomes(problem), facts(problem), under("Finals", finals(problem)),
    under("The search", searchChart(problem)),
    html("div", {class: "pair"}, html("div", {}, under("What mattered", shareChart(problem))),
      html("div", {}, under("Roofline", rooflineChart(problem)))),
    under("Sizes of work-groups", maps.length > 0 ? html("div", {class: "maps"}, maps) : null),
    under("Times by parameter", parameterSections(problem)), under("Failures", failures(problem)));
}

addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
document.querySelector("main").append(header(kReport),
  ...kReport.problems.map((problem, i) => section(problem, i + 1)),
  html("footer", {}, `Tessera ${kReport.tessera}`));
