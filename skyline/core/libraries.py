"""How functions become machine code: parts stay as they were written, a kernel is put together and optimised once.

numba makes machine code of every function that a kernel calls, with a way in for plain Python, and optimises each
anew in every caller. Only kernels are ever entered from Python. Here a function of the core is a part: a module of
LLVM's language, neither optimised nor loaded. A kernel links all parts that the kernel reaches, optimises them
together, and is loaded. This takes less than half of the processor time that numba's own way takes.

Everything here stands on private interfaces of numba. `pyproject.toml` bounds numba by the newest version that was
tested; where another one lacks something (`libraries`), functions are compiled in numba's own way, which takes longer,
with one warning, and play the same.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numba
from llvmlite.binding import set_option
from numba.core.compiler import CompilerBase, DefaultPassBuilder

from skyline.core.cache import warn_once

UNRESOLVED = ".numba.unresolved$"  # numba's prefix for the name of a function that calls itself
RARELY = 20_000  # new objects between two collections while a kernel is compiled
ENVIRONMENT = "_ZN08NumbaEnv"  # numba's prefix for the name of a function's globals


class Libraries(NamedTuple):
    """The classes of what functions are compiled into."""

    part: type[Any]
    kernel: type[Any]


def _reached(library: Any, part: type[Any]) -> list[Any]:
    """Everything that a library's code calls, each before what it calls: LLVM leaves out what nobody calls yet."""
    ordered: list[Any] = []
    seen = {library}
    open_calls = [(library, iter(library._linking_libraries))]
    while open_calls:
        caller, called = open_calls[-1]
        following = next((other for other in called if other not in seen), None)
        if following is None:
            ordered.append(caller)
            open_calls.pop()
        else:
            seen.add(following)
            is_open = isinstance(following, part) and not following.is_loaded
            open_calls.append((following, iter(following._linking_libraries if is_open else ())))
    return ordered[-2::-1]  # without the library itself


def _classes() -> Libraries:
    """ImportError or AttributeError where numba has another interface."""
    from llvmlite.binding import Linkage
    from numba.core.codegen import JITCodeLibrary
    from numba.core.environment import lookup_environment

    class Linked(JITCodeLibrary):  # type: ignore[misc] # numba is not read by mypy
        """A library that is optimised once, with all that its code calls."""

        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout  # the passes over single functions come with all others

        def _load(self) -> None:
            """Link, optimise and load, with the globals of every function."""
            linked: list[Any] = [_Alone(library, part) for library in _reached(self, part)]
            self._linking_libraries = linked
            super().finalize()
            linked.clear()
            for variable in self._final_module.global_variables:
                if variable.name.startswith(ENVIRONMENT):
                    found = lookup_environment(variable.name)
                    if found is not None:
                        self._codegen.set_env(variable.name, found)

    class PartLibrary(Linked):
        """A function that compiled functions call. One that plain Python may call, too, is loaded in addition."""

        is_loaded = False

        @property
        def codegen(self) -> Any:
            return self._codegen if self.is_loaded else _NotLoaded(self._codegen)

        def finalize(self) -> None:
            self._raise_if_finalized()
            self._finalized = True

        def alone(self) -> Any:
            """The function without what it calls."""
            return super()._get_module_for_linking()

        def _get_module_for_linking(self) -> Any:
            """The function with all that it calls, for libraries of numba's own kind."""
            if self.is_loaded:
                return self.alone()
            module = self.alone().clone()
            for library in _reached(self, PartLibrary):
                module.link_in(_Alone(library, PartLibrary)._get_module_for_linking(), preserve=True)
            return module

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            if not self.is_loaded:
                if name not in {function.name for function in self.get_defined_functions()}:
                    return 0
                self.is_loaded, self._finalized, self._shared_module = True, False, None
                self._load()
            pointer: int = super().get_pointer_to_function(name)
            return pointer

        @classmethod
        def _unserialize(cls, codegen: Any, state: Any) -> Any:
            with _made_as(codegen, JITCodeLibrary):
                return JITCodeLibrary._unserialize(codegen, state)

    class KernelLibrary(Linked):
        """A kernel's machine code, in which every function that the kernel calls belongs to this kernel alone.

        numba leaves such functions open, so that kernels share them, and the optimiser may change no call. The
        functions are private and not internal, because the linker of a process finds internal functions by their
        names, too. A function that calls itself stays open: numba looks for it by its name.
        """

        def finalize(self) -> None:
            self._load()

        def _optimize_final_module(self) -> None:
            module = self._final_module
            recursive = {variable.name.removeprefix(UNRESOLVED) for variable in module.global_variables}
            for function in module.functions:
                closes = function.linkage == Linkage.linkonce_odr and function.name not in recursive
                if closes and not function.is_declaration:
                    function.linkage = Linkage.private
            super()._optimize_final_module()

    part = PartLibrary
    JITCodeLibrary._optimize_final_module  # noqa: B018 - methods that nobody calls would change nothing
    JITCodeLibrary._optimize_functions  # noqa: B018
    return Libraries(PartLibrary, KernelLibrary)


class _Alone:
    """A library in the list of what is linked: a part is linked without what it calls, which is in the list itself."""

    def __init__(self, library: Any, part: type[Any]) -> None:
        self._reload_init = getattr(library, "_reload_init", ())  # numba 0.61 has none
        self._get_module_for_linking = library._get_module_for_linking
        if isinstance(library, part) and not library.is_loaded:
            self._get_module_for_linking = library.alone


class _NotLoaded:
    """What makes a part's code, for a part that is not loaded: it has no address where globals could be written."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """The kernels that link the part set this when they are loaded."""


@contextlib.contextmanager
def _made_as(codegen: Any, library_class: type[Any]) -> Iterator[None]:
    """Let libraries that numba makes for itself be of this class. The lock of numba's compiler is held."""
    before = codegen._library_class
    codegen._library_class = library_class
    try:
        yield
    finally:
        codegen._library_class = before


class PartCompiler(CompilerBase):  # type: ignore[misc] # numba is not read by mypy
    """numba's usual steps, into a library of our own where this numba lets us."""

    kind = "part"
    libraries: Libraries | None = None  # None: looked for

    def compile_extra(self, function: Any) -> Any:
        _align_functions()
        own = self.libraries or libraries()
        if own is None:
            return super().compile_extra(function)
        codegen = self.state.targetctx.codegen()
        with _made_as(codegen, own.part):
            return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        state, own = self.state, self.libraries or libraries()
        if own is not None:
            state.library = getattr(own, self.kind)(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(state)]


class KernelCompiler(PartCompiler):
    kind = "kernel"

    def compile_extra(self, function: Any) -> Any:
        with _rare_collections():
            return super().compile_extra(function)


@contextlib.contextmanager
def _rare_collections() -> Iterator[None]:
    """Compiling makes millions of objects that live on: to look for unused ones again and again takes up to a tenth
    of the time."""
    before = gc.get_threshold()
    gc.set_threshold(RARELY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@lru_cache(None)
def _align_functions() -> None:
    """Let every function that is compiled from now on begin at a multiple of 64 bytes, the length of a cache line.

    Otherwise the speed of a kernel depends on the place where a process happens to load the machine code: the same
    kernel is up to 9 % faster or slower (docs/bench.md, the gate).
    """
    set_option("skyline", "-align-all-functions=6")


@lru_cache(None)
def libraries() -> Libraries | None:
    """Our classes of libraries if a small kernel that calls a part works with them; else None, and a warning."""
    try:
        found = _classes()
        part = type("TrialPart", (PartCompiler,), {"libraries": found})
        kernel = type("TrialKernel", (KernelCompiler,), {"libraries": found})
        one_more = numba.njit(pipeline_class=part, no_cpython_wrapper=True, no_cfunc_wrapper=True)(_one_more)

        def twice(n: Any) -> Any:
            return one_more(one_more(n))

        if numba.njit(pipeline_class=kernel)(twice)(1) == 3:
            return found
        reason = "a trial gave a wrong result"
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    warn_once(f"kernels are compiled into numba's own libraries, and are slower: numba {numba.__version__}, {reason}")
    return None


def _one_more(n: Any) -> Any:
    return n + 1
