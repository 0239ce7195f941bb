"""A window that shows pictures (extra `viz`)."""

from __future__ import annotations

import os
from typing import Any

from skyline.draw.raster import Pixels, missing


class Window:
    """A window for one picture after the other. Closed by its user, it stays closed and `show` does nothing."""

    def __init__(self) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame
        except ImportError:
            raise missing("pygame-ce", "windows") from None
        self._pygame: Any = pygame
        self._open = False
        self.closed = False

    def show(self, picture: Pixels, caption: str = "") -> None:
        """Show a picture (H, W, 3), made smaller if the screen is, and answer the window's events."""
        if self.closed:
            return
        pygame = self._pygame
        pygame.display.init()
        surface = pygame.surfarray.make_surface(picture.swapaxes(0, 1))
        size = self._fitting(surface.get_size())
        if not self._open or pygame.display.get_surface().get_size() != size:
            pygame.display.set_mode(size)
            self._open = True
        pygame.display.set_caption(caption)
        pygame.display.get_surface().blit(pygame.transform.smoothscale(surface, size), (0, 0))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()

    def _fitting(self, size: tuple[int, int]) -> tuple[int, int]:
        """The size, or the largest of its shape that leaves a margin on the screen."""
        screen = self._pygame.display.get_desktop_sizes()[0]
        scale = min(1.0, *(0.9 * most / side for most, side in zip(screen, size, strict=True)))
        return round(size[0] * scale), round(size[1] * scale)

    def close(self) -> None:
        """Close the window for good; a second call does nothing."""
        if self._open:
            self._pygame.display.quit()
        self._open, self.closed = False, True
