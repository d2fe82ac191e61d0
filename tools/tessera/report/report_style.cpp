// The report's style: calm, light or dark as the reader's system is, for wide and narrow screens.
#include "report/report_style.hpp"

namespace tessera::tool {

const char* const kReportStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f6f4; --card: #fff; --ink: #1e2429; --soft: #5b656e; --line: #e2e4e6; --track: #eef0f2;
  --accent: #2a66a8; --on-accent: #fff;
  --ok: #2a66a8; --slow: #a3b8cd; --wrong: #c7382e; --build-failed: #d9801f;
  --build-timeout: #b49a12; --resources: #7f58b8; --run-timeout: #148f88; --crashed: #a42a66;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171a; --card: #1b1f23; --ink: #e4e7ea; --soft: #9aa5ae; --line: #2e343a; --track: #262b30;
    --accent: #78b4ee; --on-accent: #10202f;
    --ok: #78b4ee; --slow: #5d7489; --wrong: #f0736a; --build-failed: #eba257;
    --build-timeout: #d8c04a; --resources: #b294e0; --run-timeout: #57c4bc; --crashed: #e07aac;
  }
}
.o-ok { --c: var(--ok) } .o-slow { --c: var(--slow) } .o-wrong { --c: var(--wrong) }
.o-build-failed { --c: var(--build-failed) } .o-build-timeout { --c: var(--build-timeout) }
.o-resources { --c: var(--resources) } .o-run-timeout { --c: var(--run-timeout) }
.o-crashed { --c: var(--crashed) }

* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1120px; padding: 32px 20px; background: var(--page);
  color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
h1 { margin: 0 0 4px; font-size: 26px; font-weight: 600; letter-spacing: -0.01em }
h2 { margin: 0; font-size: 20px; font-weight: 600; overflow-wrap: anywhere }
h3 { margin: 36px 0 8px; font-size: 16px; font-weight: 600 }
p { margin: 0 0 12px; overflow-wrap: anywhere }
a { color: var(--accent) }
header { padding: 0 4px 12px }
section { margin: 20px 0; padding: 24px 28px 28px; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px }
.soft, footer, figcaption, small { color: var(--soft) }
footer, figcaption, small, .legend { font-size: 13px }
footer { padding: 0 4px }
code { font: 0.9em ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
dd code, td.kernel code { white-space: nowrap }

.stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 12px;
  margin: 16px 0 20px }
.stat { display: flex; flex-direction: column; padding: 12px 16px; border-radius: 8px;
  background: var(--track) }
.label, .note { color: var(--soft); font-size: 13px }
.figure { font-size: 24px; font-weight: 600; line-height: 1.35; font-variant-numeric: tabular-nums }
.tuned .figure { color: var(--accent) }

.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 8px 0 20px; padding: 0;
  list-style: none; color: var(--soft) }
.legend li::before, .failures th[class]:not(.number)::before { content: ""; display: inline-block;
  width: 9px; height: 9px; margin-right: 6px; border-radius: 3px; background: var(--c) }
.legend b { color: var(--ink); font-weight: 600 }

dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 18px; margin: 0 }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }

.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: 14px }
th { color: var(--soft); font-weight: 500; text-align: left }
th, td { padding: 7px 14px 7px 0; vertical-align: top; border-bottom: 1px solid var(--line) }
tr:last-child > * { border-bottom: 0 }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
td em { color: var(--accent); font-style: normal }
td.wide { width: 100%; min-width: 110px }
.finals td.wide { width: 26% }
.finals td.kernel { min-width: 200px }
.bars th { white-space: nowrap; color: var(--ink) }
.bars th, .bars td { padding: 3px 14px 3px 0; border: 0; vertical-align: middle }
.failures th { white-space: nowrap }
.failures p { margin: 0; color: var(--soft); font-size: 13px }
pre { margin: 2px 0 0; max-height: 12em; overflow: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }

figure { margin: 0; min-width: 0 }
figcaption { margin-bottom: 14px }
figcaption code, figcaption strong { color: var(--ink) }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(380px, 100%), 1fr));
  gap: 0 48px }
.pair > div:empty { display: none }
.maps, .multiples { display: grid; gap: 24px 32px;
  grid-template-columns: repeat(auto-fill, minmax(min(280px, 100%), 1fr)) }
.maps { grid-auto-flow: dense }
.multiples figcaption { margin-bottom: 6px }
details { margin: 0 0 12px }
summary { padding: 6px 0; cursor: pointer }
details[open] > summary { margin-bottom: 6px }

svg { display: block; overflow: visible; width: 100% }
svg.plot { width: calc(100% - 62px); margin: 32px 0 46px 60px }
.outcomes { border-radius: 5px; overflow: hidden }
svg text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums }
svg .name { font-style: italic }
.left, .end { text-anchor: end }
.middle { text-anchor: middle }
.halo { paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round }
.grid { stroke: var(--line) }
.axis, .reference { stroke: var(--soft); stroke-opacity: 0.6 }
.reference { stroke-dasharray: 4 4 }
.point { fill: var(--c); fill-opacity: 0.8 }
.failure { stroke: var(--c); stroke-width: 3 }
.part { fill: var(--c) }
.best { stroke: var(--ink); stroke-width: 1.75; stroke-linecap: round }
.whisker { stroke: var(--slow); stroke-width: 2; stroke-linecap: round }
.box { fill: var(--slow); fill-opacity: 0.55 }
.median { stroke: var(--card); stroke-width: 2 }
.interval .whisker { stroke: var(--slow); stroke-width: 4 }
.top { fill: var(--accent) }
.chosen .whisker { stroke: var(--accent) }
.chosen .box { fill: var(--accent); fill-opacity: 0.6 }
svg .chosen text { fill: var(--accent); font-weight: 700 }
.track { fill: var(--track) }
.fill { fill: var(--accent) }
.cell rect { fill: var(--accent); stroke: var(--card); stroke-width: 3 }
svg .cell text { fill: var(--ink) }
svg .strong text { fill: var(--on-accent); font-weight: 600 }
.cell.empty rect, .cell.failed rect { fill: var(--track); fill-opacity: 1 }
svg .failed text { fill: var(--c); font-size: 16px }
.roof { stroke: var(--soft); stroke-width: 2; stroke-linecap: round }
.spot { fill: var(--card); stroke: var(--ink); stroke-width: 2 }
.spot.tuned { fill: var(--accent); stroke: var(--accent) }

@media (min-width: 760px) {
  .maps .many { grid-column: span 2 }
}
@media (max-width: 600px) {
  body { padding: 20px 10px }
  section { padding: 18px 14px 20px }
  .stats { grid-template-columns: 1fr 1fr; gap: 8px }
  .stat { padding: 10px 12px }
  .figure { font-size: 19px }
  .aside { display: none }
  .finals td.kernel { min-width: 150px }
  .finals td:last-child, .finals th:last-child { white-space: normal }
  .overview td:first-child { min-width: 150px }
  th, td { padding-right: 10px }
  dl { grid-template-columns: 1fr; gap: 0 }
  dd { margin-bottom: 8px }
}
@media print { section { break-inside: auto; border: 0 } }
)css";

}  // namespace tessera::tool
