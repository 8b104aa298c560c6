"""Calls: node types as classes. CoreCall is their base; every concrete subclass is registered under its name.

Source: CoreCall, as decided in the Calls' contract.
"""

from graph_app.calls.ask import Ask
from graph_app.calls.convert import Convert
from graph_app.calls.core import CoreCall, DataBase
from graph_app.calls.delay import Delay
from graph_app.calls.documents import CallFactory, build_engine, load_builder, shared_engine
from graph_app.calls.errors import CallError, ModelError
from graph_app.calls.extract import Extract
from graph_app.calls.for_each import ForEach
from graph_app.calls.graph import Graph
from graph_app.calls.llm import LLM
from graph_app.calls.models import Models, Provider
from graph_app.calls.node import CallNode
from graph_app.calls.registry import call_class, registered_calls
from graph_app.calls.services import CallServices
from graph_app.calls.settings import described
from graph_app.calls.tool import Tool
from graph_app.calls.types import (
    CallIds,
    CallInfo,
    CallOutputChunk,
    CallOutputType,
    CallVars,
    ExecutorBackground,
    ExecutorHistory,
    LanguageType,
    NodeInfo,
    StepExecutor,
)

__all__ = [
    "LLM",
    "Ask",
    "CallError",
    "CallFactory",
    "CallIds",
    "CallInfo",
    "CallNode",
    "CallOutputChunk",
    "CallOutputType",
    "CallServices",
    "CallVars",
    "Convert",
    "CoreCall",
    "DataBase",
    "Delay",
    "ExecutorBackground",
    "ExecutorHistory",
    "Extract",
    "ForEach",
    "Graph",
    "LanguageType",
    "ModelError",
    "Models",
    "NodeInfo",
    "Provider",
    "StepExecutor",
    "Tool",
    "build_engine",
    "call_class",
    "described",
    "load_builder",
    "registered_calls",
    "shared_engine",
]
