"""The graph engine: build a graph of nodes around a shared state, run it, debug it. It knows no Django.

Source: evofabric.core.graph, as decided in the graph contract.
"""

from graph_app.engine.builder import GraphBuilder, GraphWarning
from graph_app.engine.debugger import GraphEngineDebugger
from graph_app.engine.document import DocumentBuilder, GraphDocument, load_document
from graph_app.engine.edges import ConditionEdgeSpec, EdgeSpec, EdgeSpecBase, cast_edge
from graph_app.engine.engine import GraphEngine, RunTimeTask
from graph_app.engine.errors import (
    DatabaseLockedError,
    DebuggerError,
    ExpressionError,
    ExpressionSyntaxError,
    GraphBuildError,
    GraphDefinitionError,
    GraphDocumentError,
    GraphError,
    GraphRunError,
    GraphTimeoutError,
    JoinWaitingError,
    NodeError,
    Problem,
    RoutingError,
    SerializationError,
    StateError,
    VisitError,
    WaitForAnswer,
)
from graph_app.engine.expressions import Expression
from graph_app.engine.frontier import Frontier
from graph_app.engine.messages import AssistantMessage, StateMessage, SystemMessage, ToolMessage, UserMessage
from graph_app.engine.nodes import (
    AsyncNode,
    AsyncStreamNode,
    GraphNodeSpec,
    NodeBase,
    NodeResult,
    SyncNode,
    SyncStreamNode,
    callable_to_node,
)
from graph_app.engine.registry import register_function
from graph_app.engine.routing import Route
from graph_app.engine.run_parts import Suspended, Waiting
from graph_app.engine.schema import Schema
from graph_app.engine.state import StateCkpt, generate_state_schema
from graph_app.engine.strategies import StateUpdater, _append_messages, _overwrite_state_update_strategy
from graph_app.engine.streaming import (
    Event,
    StreamCtx,
    StreamWriter,
    current_ctx,
    current_visit,
    get_stream_writer,
    set_streaming_handler,
    stream_writer_env,
)
from graph_app.engine.types import (
    DEFAULT_EDGE_GROUP,
    MISSING,
    BaseComponent,
    GraphMode,
    NodeActionMode,
    SpecialNode,
    State,
    StateDelta,
    StateFilterLike,
    StateSchema,
)
from graph_app.engine.visits import Visit

__all__ = [
    "DEFAULT_EDGE_GROUP",
    "MISSING",
    "AssistantMessage",
    "AsyncNode",
    "AsyncStreamNode",
    "BaseComponent",
    "ConditionEdgeSpec",
    "DatabaseLockedError",
    "DebuggerError",
    "DocumentBuilder",
    "EdgeSpec",
    "EdgeSpecBase",
    "Event",
    "Expression",
    "ExpressionError",
    "ExpressionSyntaxError",
    "Frontier",
    "GraphBuildError",
    "GraphBuilder",
    "GraphDefinitionError",
    "GraphDocument",
    "GraphDocumentError",
    "GraphEngine",
    "GraphEngineDebugger",
    "GraphError",
    "GraphMode",
    "GraphNodeSpec",
    "GraphRunError",
    "GraphTimeoutError",
    "GraphWarning",
    "JoinWaitingError",
    "NodeActionMode",
    "NodeBase",
    "NodeError",
    "NodeResult",
    "Problem",
    "Route",
    "RoutingError",
    "RunTimeTask",
    "Schema",
    "SerializationError",
    "SpecialNode",
    "State",
    "StateCkpt",
    "StateDelta",
    "StateError",
    "StateFilterLike",
    "StateMessage",
    "StateSchema",
    "StateUpdater",
    "StreamCtx",
    "StreamWriter",
    "Suspended",
    "SyncNode",
    "SyncStreamNode",
    "SystemMessage",
    "ToolMessage",
    "UserMessage",
    "Visit",
    "VisitError",
    "WaitForAnswer",
    "Waiting",
    "_append_messages",
    "_overwrite_state_update_strategy",
    "callable_to_node",
    "cast_edge",
    "current_ctx",
    "current_visit",
    "generate_state_schema",
    "get_stream_writer",
    "load_document",
    "register_function",
    "set_streaming_handler",
    "stream_writer_env",
]
