// Numbers as text, axes, and elements of the page.
"use strict";

// JSON has null for what is unknown or infinite.
const isKnown = value => typeof value === "number" && Number.isFinite(value);
const isPositive = value => isKnown(value) && value > 0;

function threeDigits(value) {
  if (!isKnown(value)) return "-";
  const size = Math.abs(value);
  if (size >= 1e6 || (size !== 0 && size < 1e-3)) return value.toPrecision(3);
  const decimals = size === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return value.toFixed(decimals);
}

function timeText(seconds) {
  if (!isKnown(seconds) || seconds < 0) return "-";
  if (seconds === 0) return "0 s";
  if (seconds < 0.9995) {
    const [factor, unit] = timeUnit(seconds);
    return `${threeDigits(seconds * factor)} ${unit}`;
  }
  if (seconds < 119.5) return `${threeDigits(seconds)} s`;
  if (seconds >= 1e9) return `${seconds.toPrecision(3)} s`;
  const whole = Math.round(seconds);
  return whole < 7200 ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor(whole % 3600 / 60)} min`;
}

function timeUnit(seconds) {
  if (seconds >= 0.9995) return [1, "s"];
  if (seconds >= 999.5e-6) return [1e3, "ms"];
  return seconds >= 999.5e-9 ? [1e6, "µs"] : [1e9, "ns"];
}

// [47.9, "T"] for 4.79e13.
function prefixed(value) {
  let step = 0;
  for (; value >= 999.5 && step < 5; step++) value /= 1000;
  return [value, ["", "k", "M", "G", "T", "P"][step]];
}

function rateText(value, unit) {
  if (!isPositive(value)) return "-";
  const [number, prefix] = prefixed(value);
  return `${threeDigits(number)} ${prefix}${unit}`;
}

const fourDigits = value => `${Number(value.toPrecision(4))}`;
const timeTick = seconds => `${fourDigits(seconds * timeUnit(seconds)[0])} ${timeUnit(seconds)[1]}`;
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const percent = fraction => `${Number((100 * fraction).toFixed(2))}%`;
const settingsText = parameters =>
  Object.entries(parameters).map(([name, value]) => `${name}=${value}`).join(" ");
const kernelText = ({kernel, parameters}) => `${kernel} ${settingsText(parameters)}`.trim() || "-";

// An axis: at(value) is 0 at the low end and 1 at the high end; ticks are round and few.
function linearAxis(low, high) {
  if (!(high > low)) high = low + 1;
  return {at: value => clamped((value - low) / (high - low)), ticks: linearTicks(low, high)};
}

function logAxis(low, high) {
  if (!(low >= 1e-30 && high <= 1e30)) [low, high] = [1, 10];
  if (!(high > low)) high = 2 * low;
  return {
    at: value => clamped(Math.log(value / low) / Math.log(high / low)),
    ticks: high / low > 8 ? logTicks(low, high) : linearTicks(low, high),
  };
}

// A logarithmic axis around the positive ones of the values, with some room.
function axisAround(values) {
  const inside = values.filter(value => value > 1e-27 && value < 1e27);
  const low = inside.reduce((a, b) => Math.min(a, b), Infinity);
  const high = inside.reduce((a, b) => Math.max(a, b), 0);
  const room = Math.min(Math.max((high / low) ** 0.06, 1.12), 1e3);
  return logAxis(low / room, high * room);
}

const clamped = value => Number.isNaN(value) ? 0 : Math.min(Math.max(value, 0), 1);

const kMostTicks = 7;

function linearTicks(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough);
  const ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high && ticks.length < kMostTicks; i++)
    ticks.push(i * step);
  return ticks;
}

function logTicks(low, high) {
  const whole = [], all = [];
  for (let exponent = Math.floor(Math.log10(low)); 10 ** exponent <= high; exponent++) {
    whole.push(10 ** exponent);
    for (const factor of [1, 2, 5]) all.push(factor * 10 ** exponent);
  }
  const isInside = tick => tick >= low && tick <= high;
  if (all.filter(isInside).length <= kMostTicks) return all.filter(isInside);
  const decades = whole.filter(isInside);
  const step = Math.ceil(decades.length / kMostTicks);
  return decades.filter((tick, i) => i % step === 0);
}

// Controls are shown as the replacement character; elements get texts only, never markup.
const shown = text => String(text).replace(/\r/g, "")
  .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd");

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, shown(value));
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === "") continue;
    element.append(child instanceof Node ? child : shown(child));
  }
  return element;
}

const html = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);
const kSvg = document.querySelector("svg").namespaceURI;
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(kSvg, tag), attributes, children);

const idOf = outcome => outcome.replaceAll(" ", "-");
const mark = (outcome, x, y, ...children) =>
  svg("use", {href: `#${idOf(outcome)}`, class: `o-${idOf(outcome)}`, x, y}, ...children);
const legendMark = outcome =>
  svg("svg", {class: "mark", width: 12, height: 12, "aria-hidden": true}, mark(outcome, 6, 6));
