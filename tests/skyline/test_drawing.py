"""skyline.draw: valid, deterministic SVG; colours and patterns that colour-blind people tell apart; texts; windows."""

from __future__ import annotations

import itertools
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from skyline.draw import fonts, raster
from skyline.draw.fonts import text_width
from skyline.draw.raster import rasterise, save
from skyline.draw.svg import INK, NEUTRAL, SEATS, Svg, number, text_grids
from skyline.draw.window import Window

NAMESPACE = "{http://www.w3.org/2000/svg}"
PRINTABLE = "".join(map(chr, range(33, 127)))


def small_picture() -> str:
    svg = Svg(120, 40, "small")
    svg.rect(0, 0, 60, 40, fill=SEATS[0].fill)
    svg.text(65, 25, "Abc 123", 12)
    return str(svg)


# ---------------------------------------------------------------- the builder


def test_everything_drawn_is_valid_xml_with_its_attributes():
    svg = Svg(100, 50, "a < b")
    with svg.group("tower & co", opacity=0.5):
        svg.rect(1, 2.0, 3.456, 4, radius=2, stroke_width=1.5, stroke=None)
        svg.circle(5, 5, 2)
        svg.line(0, 0, 1, 1, stroke=INK)
        svg.polygon([(0, 0), (1.5, 2)], fill="red")
        svg.path("M0 0h1", fill='"none"')
        svg.text(1, 2, '<5 & "6"\x07', 10, anchor="end", bold=True)
    root = ET.fromstring(str(svg))
    assert root.attrib["viewBox"] == "0 0 100 50"
    assert [e.text for e in root.iter(f"{NAMESPACE}title")] == ["a < b", "tower & co"]
    group = root.find(f"{NAMESPACE}g")
    rect, *_, path, text = group[1:]
    assert rect.attrib == {"x": "1", "y": "2", "width": "3.46", "height": "4", "rx": "2", "stroke-width": "1.5"}
    assert path.attrib["fill"] == '"none"'
    assert text.text == '<5 & "6"'
    assert text.attrib["text-anchor"] == "end" and text.attrib["font-weight"] == "bold"


@pytest.mark.parametrize(
    ("value", "written"), [(3, "3"), (3.0, "3"), (0.1 + 0.2, "0.3"), (-0.001, "0"), (1234.567, "1234.57"), (100, "100")]
)
def test_numbers_are_short(value, written):
    assert number(value) == written


def test_same_calls_same_bytes():
    assert small_picture() == small_picture()
    assert np.array_equal(rasterise(small_picture()), rasterise(small_picture()))


def test_text_shrinks_to_its_width_and_says_how_wide_it_is():
    svg = Svg(100, 50)
    assert svg.text(0, 10, "short", 10, width=90) == pytest.approx(text_width("short", 10))
    assert svg.text(0, 10, "far too long for so little room", 10, width=60) == pytest.approx(60)
    assert svg.text(0, 10, "", 10, width=60) == 0


def test_text_grids():
    left = [[["a", "b"], ["c"]], [["d"], ["e"]]]
    right = [[["f"]], [["g"]]]
    assert text_grids([left, right], 3) == [
        "+---+---+  +---+",
        "|a  |c  |  |f  |",
        "|b  |   |  |   |",
        "+---+---+  +---+",
        "|d  |e  |  |g  |",
        "+---+---+  +---+",
    ]


# ---------------------------------------------------------------- looks

# What dichromats see, as matrices on linear RGB: Machado, Oliveira, Fernandes (2009), severity 1.0.
SIGHT = {
    "usual": np.eye(3),
    "protanope": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranope": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanope": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour):
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / TO_XYZ.sum(axis=1)
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one, other):
    """WCAG contrast of two colours."""
    low, high = sorted(float(TO_XYZ[1] @ linear(colour)) + 0.05 for colour in (one, other))
    return high / low


@pytest.mark.parametrize("sight", SIGHT)
def test_seat_colours_are_told_apart(sight):
    for one, other in itertools.combinations((*SEATS, NEUTRAL), 2):
        seen = [lab(np.array(SIGHT[sight]) @ linear(look.fill)) for look in (one, other)]
        assert np.linalg.norm(seen[0] - seen[1]) >= 18, (one.name, other.name)


def test_colour_is_never_the_only_cue():
    assert len(SEATS) == 6
    assert len({look.letter for look in (*SEATS, NEUTRAL)}) == 7
    assert len({look.shape for look in SEATS}) == 6


def test_writing_is_readable_on_every_look():
    for look in (*SEATS, NEUTRAL):
        assert contrast(look.ink, look.fill) >= 4, look.name
        assert contrast(INK, look.pale) >= 7, look.name


# ---------------------------------------------------------------- texts and pixels


@pytest.mark.parametrize("bold", [False, True])
def test_text_width_is_that_of_the_font(bold):
    from PIL import ImageFont

    font = ImageFont.truetype(fonts.font_files()[bold], 200)
    for text in (PRINTABLE, "Seat 0 plays a card", "0123456789"):
        assert text_width(text, 200, bold) == pytest.approx(font.getlength(text), rel=0.02)


def test_pixels_have_the_size_of_the_picture():
    pixels = rasterise(small_picture())
    assert pixels.shape == (40, 120, 3) and pixels.dtype == np.uint8
    assert pixels[5, 5].tolist() == [int(SEATS[0].fill[i : i + 2], 16) for i in (1, 3, 5)]
    assert pixels[2, 118].tolist() == [255, 255, 255]
    assert rasterise(small_picture(), 60).shape == (20, 60, 3)


def inked(svg):
    """The columns that have dark pixels."""
    return np.flatnonzero((rasterise(svg) < 128).all(axis=2).any(axis=0))


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
def test_texts_are_drawn_where_they_belong(anchor):
    wide = text_width("Round <1>", 20, True)
    left = 300 - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
    svg = Svg(600, 40)
    svg.text(300, 25, "Round <1>", 20, anchor=anchor, bold=True)
    columns = inked(str(svg))
    assert len(columns) > 40
    assert left - 1 <= columns[0] and columns[-1] <= left + wide + 1


def test_without_the_font_pixels_are_refused_rather_than_texts_left_out(monkeypatch, tmp_path):
    monkeypatch.setattr(raster, "font_files", lambda: ())
    with pytest.raises(ImportError, match=r"font DejaVu Sans: pip install 'skyline-envs\[viz\]'"):
        rasterise(small_picture())
    save(small_picture(), tmp_path / "a.svg")  # needs no font


def test_the_font_is_found_where_matplotlib_is_installed():
    pytest.importorskip("matplotlib")
    assert [file.rpartition("/")[2] for file in fonts.font_files()] == list(fonts.FILES)


def test_save(tmp_path):
    svg = small_picture()
    save(svg, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == svg
    save(svg, str(tmp_path / "b.PNG"), width=240)
    assert (tmp_path / "b.PNG").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    for name in ("c.jpg", "c"):
        with pytest.raises(ValueError, match=r"\.svg or \.png"):
            save(svg, tmp_path / name)
        assert not (tmp_path / name).exists()


@pytest.mark.parametrize(
    ("module", "use"),
    [
        ("resvg_py", lambda: rasterise(small_picture())),
        ("PIL", lambda: rasterise(small_picture())),
        ("pygame", Window),
    ],
)
def test_a_missing_package_is_named_with_its_cure(monkeypatch, module, use):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install 'skyline-envs\[viz\]'"):
        use()


# ---------------------------------------------------------------- the window


@pytest.fixture
def pygame(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    module = pytest.importorskip("pygame")
    yield module
    module.display.quit()


def test_window_shows_pictures_and_closes(pygame):
    window = Window()
    pixels = np.zeros((20, 30, 3), np.uint8)
    pixels[4, 7] = (250, 10, 20)
    window.show(pixels, "a game")
    surface = pygame.display.get_surface()
    assert surface.get_size() == (30, 20)
    assert surface.get_at((7, 4))[:3] == (250, 10, 20)
    assert pygame.display.get_caption()[0] == "a game"
    window.show(np.zeros((40, 50, 3), np.uint8))
    assert pygame.display.get_surface().get_size() == (50, 40)
    window.close()
    window.close()
    assert window.closed and not pygame.display.get_init()


def test_window_is_made_smaller_than_the_screen(pygame):
    window = Window()
    pygame.display.init()
    high = pygame.display.get_desktop_sizes()[0][1]
    window.show(np.zeros((2 * high, high, 3), np.uint8))
    shown = pygame.display.get_surface().get_size()
    assert shown[1] < high and shown[0] == pytest.approx(shown[1] / 2, abs=1)
    window.close()


def test_window_closed_by_its_user_stays_closed(pygame):
    window = Window()
    window.show(np.zeros((20, 30, 3), np.uint8))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(np.zeros((20, 30, 3), np.uint8))
    assert window.closed
    window.show(np.zeros((20, 30, 3), np.uint8))
    assert not pygame.display.get_init()
