"""Plots as SVG, readable in light and dark, without colours, and on a narrow screen."""
import html
import math

# Colours that are different for readers with any kind of colour vision, on light and on dark, each with its dashes.
STYLES = (("#d55e00", "#ff8a3d", ""), ("#0072b2", "#56b4e9", "7 3"), ("#00805c", "#2fc79b", "2 3"),
          ("#a8578a", "#e79bc6", "9 3 2 3"), ("#8a6d00", "#e6c33c", "4 4"), ("#666666", "#aaaaaa", "1 4"))
WIDTH, HEIGHT, LEFT, RIGHT, TOP, LINE = 480, 340, 58, 26, 14, 20
STYLESHEET = ["text{fill:#222}.axis{stroke:#8885}.page{fill:#fff}"
              ".limit{stroke:#222;stroke-dasharray:5 4;fill:none}"]


def number(value):
    """A number in at most a few characters: 4096, 0.5, 10⁻⁶."""
    if value == 0 or 0.0099 < abs(value) < 1e6:
        return f"{value:g}"
    digits = str(round(math.log10(value))).replace("-", "⁻").translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{digits}"


class Axis:
    """Values between `low` and `high`, evenly or by their logarithms, on pixels from `start` to `end`."""

    def __init__(self, low, high, base=None):
        self.low, self.high, self.base = low, high, base
        self.start = self.end = 0

    def at(self, value):
        place = math.log if self.base else float
        share = (place(value) - place(self.low)) / (place(self.high) - place(self.low))
        return self.start + share * (self.end - self.start)

    def ticks(self, most):
        if self.base:
            low, high = (math.log(value, self.base) for value in (self.low, self.high))
            exponents = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
            return [float(self.base) ** exponent for exponent in exponents[::max(1, math.ceil(len(exponents) / most))]]
        step = 10 ** math.floor(math.log10((self.high - self.low) / most))
        step *= next(factor for factor in (1, 2, 5, 10) if (self.high - self.low) / (step * factor) <= most)
        first = math.ceil(self.low / step)
        return [i * step for i in range(first, math.floor(self.high / step) + 1)]


class Plot:
    """Lines and points over two axes, with a legend below them."""

    def __init__(self, x, y, x_title, y_title):
        self.x, self.y = x, y
        self.titles = x_title, y_title
        self.shapes, self.legend = [], []

    def line(self, points, name, style, width=1.6):
        """A line through points (x, y) with a mark at each, in an entry of the legend."""
        self.shapes.append(("line", list(points), style, width))
        self.legend.append((name, style, width))

    def limit(self, points, name="", end=True):
        """A dashed line, with its name above its end or its beginning."""
        self.shapes.append(("limit", list(points), name, end))

    def spots(self, points, style, radius, name=None):
        self.shapes.append(("spots", list(points), style, radius))
        if name:
            self.legend.append((name, style, 0))

    def note(self, x, y, text, anchor="start"):
        self.shapes.append(("note", [(x, y)], text, anchor))

    def _shape(self, kind, points, style, size):
        places = [(self.x.at(x), self.y.at(y)) for x, y in points]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
        if kind == "limit":
            yield f'<polyline class="limit" points="{line}"/>'
            (px, py), anchor = (places[-1], "end") if size else (places[0], "start")
            yield f'<text x="{px:.1f}" y="{py - 5:.1f}" text-anchor="{anchor}">{html.escape(style)}</text>'
        elif kind == "note":
            px, py = places[0]
            yield f'<text x="{px:.1f}" y="{py:.1f}" text-anchor="{size}">{html.escape(style)}</text>'
        elif kind == "spots":
            for px, py in places:
                yield f'<circle class="f{style}" cx="{px:.1f}" cy="{py:.1f}" r="{size}"/>'
        else:
            yield f'<polyline class="s{style}" points="{line}" stroke-width="{size}"/>'
            for px, py in places if len(places) < 40 else ():
                yield f'<circle class="f{style}" cx="{px:.1f}" cy="{py:.1f}" r="{1 + size}"/>'

    def _legend(self):
        longest = max((len(name) for name, *_ in self.legend), default=0)
        columns = 3 if longest <= 13 else 2 if longest <= 22 else 1
        for i, (name, style, width) in enumerate(self.legend):
            x = LEFT + (WIDTH - LEFT - RIGHT) * (i % columns) / columns
            y = HEIGHT + LINE * (i // columns)
            if width:
                yield (f'<line class="s{style}" x1="{x:.0f}" x2="{x + 28:.0f}" y1="{y}" y2="{y}" '
                       f'stroke-width="{width}"/>')
            yield f'<circle class="f{style}" cx="{x + 14:.0f}" cy="{y}" r="{1 + width if width else 4}"/>'
            yield f'<text x="{x + 34:.0f}" y="{y + 5}">{html.escape(name)}</text>'
        self.height = HEIGHT + LINE * (math.ceil(len(self.legend) / columns) - 1) + 14

    def svg(self):
        self.x.start, self.x.end = LEFT, WIDTH - RIGHT
        self.y.start, self.y.end = HEIGHT - 62, TOP + LINE
        body = []
        for value in self.y.ticks(6):
            at = self.y.at(value)
            body.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
            body.append(f'<text x="{LEFT - 6}" y="{at + 5:.1f}" text-anchor="end">{number(value)}</text>')
        for value in self.x.ticks(8):
            at = self.x.at(value)
            body.append(f'<text x="{at:.1f}" y="{HEIGHT - 44}" text-anchor="middle">{number(value)}</text>')
        body.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 22}" text-anchor="middle">'
                    f'{html.escape(self.titles[0])}</text>')
        body.append(f'<text x="6" y="{TOP + 4}">{html.escape(self.titles[1])}</text>')
        for shape in self.shapes:
            body += self._shape(*shape)
        body += self._legend()
        used = sorted({style for kind, _, style, _ in self.shapes if kind in ("line", "spots")})
        light = [f".s{i}{{stroke:{STYLES[i][0]};stroke-dasharray:{STYLES[i][2] or 'none'};fill:none}}"
                 f".f{i}{{fill:{STYLES[i][0]}}}" for i in used]
        dark = [f".s{i}{{stroke:{STYLES[i][1]}}}.f{i}{{fill:{STYLES[i][1]}}}" for i in used]
        dark = "text{fill:#ddd}.limit{stroke:#ddd}.page{fill:#131416}" + "".join(dark)
        style = "".join(STYLESHEET + light) + "@media(prefers-color-scheme:dark){" + dark + "}"
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH * 4 // 3}" '
            f'height="{self.height * 4 // 3}" font-family="sans-serif" font-size="14">', f"<style>{style}</style>",
            f'<rect class="page" width="{WIDTH}" height="{self.height}"/>', *body, "</svg>", ""])
