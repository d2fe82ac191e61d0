// The charts: SVGs of any width, because positions along it are percentages.

const line = (kind, x1, y1, x2, y2) =>
  svg("line", {class: kind, x1: percent(x1), y1, x2: percent(x2), y2});
const label = (kind, x, y, text, dx = 0) => svg("text", {class: kind, x: percent(x), y, dx}, text);
const hint = text => svg("title", {}, text);

// The labels of the axes are left of 0 % and below `height`.
const plot = (name, height, ...content) =>
  svg("svg", {class: "plot", height, role: "img", "aria-label": name}, ...content);
const figure = (caption, content, kind = "") =>
  html("figure", {class: kind}, html("figcaption", {}, caption), content);

function timeGrid(axis, height) {
  return axis.ticks.map(tick => {
    const y = height * (1 - axis.at(tick));
    return [line("grid", 0, y, 1, y), label("left", 0, y + 4, timeTick(tick), -8)];
  });
}

const axisNames = (across, up, height) =>
  [label("end name", 1, height + 34, across), label("name", 0, -10, up, -60)];

// The course of the search: each trial by its time and outcome, and the best trial so far.
function searchChart(problem) {
  const {trials, improvements} = problem;
  if (improvements.length === 0) return null;
  const height = 260, lane = 22;  // failures have no time: their lane is below
  const own = problem.default?.seconds, best = problem.tuned?.seconds;
  const axis = axisAround([own, best, ...trials.map(trial => trial.seconds)]);
  const x = i => (i + 0.5) / trials.length;
  const y = seconds => height * (1 - axis.at(seconds));
  const radius = trials.length > 600 ? 2 : 3;
  const points = trials.map((trial, i) => {
    const tip = hint(`${i + 1}: ${kernelText(trial)}\n${trial.outcome}` +
      (isPositive(trial.seconds) ? `, ${timeText(trial.seconds)}` : ""));
    const place = percent(x(i));
    if (!isPositive(trial.seconds)) return mark(trial.outcome, place, height + 12, tip);
    return svg("circle", {class: `point o-${idOf(trial.outcome)}`, cx: place,
      cy: y(trial.seconds), r: radius}, tip);
  });
  const steps = improvements.map((number, i) => {
    const level = y(trials[number].seconds);
    const next = improvements[i + 1];
    if (next === undefined) return line("best", x(number), level, 1, level);
    return [line("best", x(number), level, x(next), level),
      line("best", x(next), level, x(next), y(trials[next].seconds))];
  });
  const ticks = linearAxis(0, trials.length).ticks
    .filter(tick => tick >= 1 && Number.isInteger(tick))
    .map(tick => label("middle", x(tick - 1), height + lane + 16, tick));
  return figure(
    "Each configuration that was tried; marks below the axis are failures. The solid line is the " +
    "best trial so far. The dashed lines are times from the finals, which time the best trials " +
    "again, more often and in alternation. The winner's time there can be above the best trial.",
    plot(`The search: ${counted(trials.length, "trial")}, the fastest takes ` +
      timeText(trials[improvements.at(-1)].seconds), height + lane,
    timeGrid(axis, height), axisNames("configurations tried", "time of a call", height + lane),
    points, finalsLines(problem, own, best, y), earlierLine(problem, height), steps,
    line("axis", 0, height + lane, 1, height + lane), ticks));
}

// The winner is the faster one: its label goes below its line, the default's above.
function finalsLines(problem, own, best, y) {
  const reference = (seconds, text, down) => !isPositive(seconds) ? null :
    [line("reference", 0, y(seconds), 1, y(seconds)),
      label("end halo", 1, y(seconds) + down, text)];
  if (problem.default_won) return reference(best, "the default, which won", -5);
  return [reference(own, "default", -5), reference(best, "winner", 14)];
}

function earlierLine({earlier, trials}, height) {
  if (earlier === 0 || earlier === trials.length) return null;
  const x = earlier / trials.length;
  return [line("reference", x, 0, x, height), label("halo", x, 10, "after earlier tuners", 5)];
}

// The share of the variance that each choice explains.
function shareChart(problem) {
  const needed = kReport.trials_for_shares, first = problem.variants[0];
  const timed = problem.variants.reduce((sum, variant) => sum + variant.timed, 0);
  const tooFew = (count, of) => html("p", {class: "soft"},
    `Too few trials for shares${of}: ${count} timed, ${needed} needed.`);
  if (timed === 0) return null;
  if (timed < needed) return tooFew(timed, "");
  const rows = [[problem.variant_share, "which variant"],
    ...first.parameters.map(({share, name}) => [share, html("code", {}, name)])]
    .filter(([share]) => isKnown(share));
  const bar = ([share, name]) => html("tr", {}, html("th", {}, name),
    html("td", {class: "wide"}, svg("svg", {height: 14, "aria-hidden": true},
      svg("rect", {class: "track", width: "100%", height: 14, rx: 3}),
      svg("rect", {class: "fill", width: percent(share), height: 14, rx: 3}))),
    html("td", {class: "number"}, `${(100 * share).toFixed(0)} %`));
  return [rows.length === 0 ? null : figure(
    "The share of the variance of the times' logarithms that each choice explains by itself, " +
    "among what was tried. Choices depend on each other: the shares overlap, and their sum can " +
    "exceed 100 %.", html("table", {class: "bars"}, rows.map(bar))),
  first.timed < needed ? tooFew(first.timed, ` of the parameters of ${first.kernel}`) : null];
}

// Default and winner below the limits of memory and arithmetic.
function rooflineChart(problem) {
  const roof = problem.roofline;
  if (!roof) return null;
  const height = 220, {intensity, ridge, limit} = roof;
  const [flops, bytes] = [problem.peak_flops, problem.peak_bytes];
  const speeds = [roof.default, roof.tuned, limit].filter(isPositive);
  const axis = logAxis(Math.min(intensity, ridge) / 8, Math.max(intensity, ridge) * 8);
  const up = logAxis(Math.min(...speeds) / 3, 2.5 * Math.max(flops, ...speeds));
  const y = speed => height * (1 - up.at(speed));
  const segment = (kind, x1, y1, x2, y2) => line(kind, axis.at(x1), y(y1), axis.at(x2), y(y2));
  // The slope starts where it enters the picture.
  let from = intensity * 1e-9;
  while (1.02 * from < ridge && (axis.at(1.02 * from) <= 0 || up.at(1.02 * from * bytes) <= 0))
    from *= 1.02;
  const middle = Math.sqrt(from * ridge);
  const grid = up.ticks.map(tick => [line("grid", 0, y(tick), 1, y(tick)),
    label("left", 0, y(tick) + 4, `${fourDigits(prefixed(tick)[0])} ${prefixed(tick)[1]}`, -8)]);
  return figure(
    "Speed over the operations per byte that has to move. The roof is measured: multiply-adds " +
    "in registers, and reading or copying memory. A point above the roof has its data in a " +
    "cache, or uses faster units than those of multiply-adds.",
    plot("Roofline: speed over operations per byte", height, grid,
      axis.ticks.map(tick => label("middle", axis.at(tick), height + 17, fourDigits(tick))),
      axisNames("FLOP per byte", "FLOP/s", height),
      segment("roof", from, from * bytes, ridge, flops),
      segment("roof", ridge, flops, ridge * 1e9, flops),
      label("end", 1, y(flops) - 7, rateText(flops, "FLOP/s")),
      label("start", axis.at(middle), y(middle * bytes) + 12, rateText(bytes, "B/s"), 10),
      segment("reference", intensity, 1e-99, intensity, limit),
      rooflinePoints(problem, axis.at(intensity), y)));
}

// Labels are below the roof, unless their point is above it, and apart from each other.
function rooflinePoints({roofline: {limit, default: own, tuned}, default_won}, x, y) {
  const labelHeight = 16;
  const labelOf = speed => speed > limit ? y(speed)
    : Math.max(y(speed), y(limit) + 0.75 * labelHeight);
  const isRight = x < 0.6;  // on the left of a point, the slope of a near ridge would cross labels
  const point = (speed, labelY, text, kind) => !isPositive(speed) ? null :
    [svg("circle", {class: kind, cx: percent(x), cy: y(speed), r: 5}),
      label(isRight ? "start halo" : "end halo", x, labelY + 4,
        `${text} ${rateText(speed, "FLOP/s")}`, isRight ? 11 : -11)];
  if (default_won) return point(tuned, labelOf(tuned), "the default:", "spot tuned");
  let [ownY, tunedY] = [labelOf(own), labelOf(tuned)];
  if (isPositive(own) && isPositive(tuned) && Math.abs(tunedY - ownY) < labelHeight) {
    const lower = Math.min(ownY, tunedY) + labelHeight;
    if (own <= tuned) ownY = lower;
    else tunedY = lower;
  }
  return [point(own, ownY, "default", "spot"), point(tuned, tunedY, "tuned", "spot tuned")];
}

// The best time for each width and height of a work-group or its block.
function sizeChart(problem, {kernel, sizes}) {
  const trialAt = number => number === null ? null : problem.trials[number];
  const secondsAt = number => trialAt(number)?.seconds ?? Infinity;
  const best = Math.min(...(sizes?.cells ?? []).map(secondsAt));
  if (!isPositive(best)) return null;
  const {widths, heights, width, height} = sizes;
  const row = 44, bottom = row * heights.length, [factor, unit] = timeUnit(best);
  const fastest = secondsAt(problem.improvements.at(-1));
  const cell = (number, i) => {
    const column = i % widths.length, trial = trialAt(number);
    const top = row * (heights.length - 1 - Math.floor(i / widths.length));  // small ones are below
    const isTimed = isPositive(trial?.seconds);
    const shade = isTimed ? strength(trial.seconds, best) : 1;
    const middle = (column + 0.5) / widths.length;
    return svg("g", {class: isTimed ? `cell ${shade > 0.68 ? "strong" : ""}` : "cell empty"},
      hint(!trial ? "not tried" : `${kernelText(trial)}\n` +
        (isTimed ? timeText(trial.seconds) : trial.outcome)),
      svg("rect", {x: percent(column / widths.length), y: top, width: percent(1 / widths.length),
        height: row, rx: 4, "fill-opacity": shade}),
      isTimed ? label("middle", middle, top + 27, threeDigits(trial.seconds * factor))
        : trial ? mark(trial.outcome, percent(middle), top + 22) : null);
  };
  const code = name => html("code", {}, name);
  const slower = best > 1.005 * fastest ? `, ${threeDigits(best / fastest)} × the best trial` : "";
  return figure(
    [html("strong", {}, kernel), ": ", code(width),
      height === null ? "" : [" (across) by ", code(height), " (up)"], html("br", {}),
      html("small", {}, `best time, ${unit}; the least is ${timeText(best)}${slower}`)],
    plot(`Best time of ${kernel} by size`, bottom,
      height === null ? null : heights.map((value, i) =>
        label("left", 0, row * (heights.length - 1 - i) + 27, value, -8)),
      sizes.cells.map(cell),
      widths.map((value, i) => label("middle", (i + 0.5) / widths.length, bottom + 16, value))),
    widths.length > 5 ? "many" : "");
}

// 1 for the best time, 0.06 from 8 times the best time on.
const strength = (seconds, best) =>
  Math.min(Math.max(1 - Math.log(seconds / best) / Math.log(8), 0.06), 1);

// The spread of the times over the values of each parameter, on one axis.
function parameterCharts(parameters, best) {
  const height = 130;
  const axis = axisAround(parameters.flatMap(({values}) => values.flatMap(value => value.seconds)));
  const y = seconds => height * (1 - axis.at(seconds));
  const box = ({value, timed, seconds: [least, quarter, median, upper, most]}, x, half, isChosen) =>
    svg("g", {class: isChosen ? "chosen" : ""},
      hint(`${value}: best ${timeText(least)}, median ${timeText(median)}, of ${timed} timed`),
      line("whisker", x, y(most), x, y(least)),
      svg("rect", {class: "box", x: percent(x - half), width: percent(2 * half), y: y(upper),
        height: Math.max(y(quarter) - y(upper), 1), rx: 2}),
      line("median", x - half, y(median), x + half, y(median)),
      svg("circle", {class: "top", cx: percent(x), cy: y(least), r: 3.5}),
      label("middle", x, height + 18, value));
  return html("div", {class: "multiples"}, parameters.map(({name, values}) => {
    const step = 1 / values.length;
    return figure(html("code", {}, name), plot(`Time by ${name}`, height,
      timeGrid(axis, height), axisNames(name, "time of a call", height),
      values.map((value, i) => box(value, (i + 0.5) * step, Math.min(0.28 * step, 0.07),
        best?.parameters[name] === value.value))));
  }));
}
