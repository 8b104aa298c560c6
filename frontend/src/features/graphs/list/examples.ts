import type { DocumentKind } from "@/shared/documents/kind";

/** A graph that nothing was added to yet. */
export const NEW_GRAPH = `name: new_graph
description: ""
state: []
inputs: []
nodes: {}
edges: []
max_turn: 50
timeout: 30
run_timeout: 600
layout: {}
`;

/** Texts of graphs to start from. They run on the sandbox, with no key and no network. */
export const EXAMPLES: DocumentKind["examples"] = [
  {
    title: "graphs.example.approval.title",
    text: "graphs.example.approval.text",
    yaml: `# Dear orders are shown to a person first.
name: example_approval
description: Looks an order up and asks a person when it is dear
state:
  - {name: order_id, type: str, update: overwrite, description: "Number of the order, such as 1042"}
  - {name: status, type: str, update: overwrite}
  - {name: total, type: float, update: overwrite}
  - {name: approved, type: bool, update: overwrite}
inputs: [order_id]
entry: look_up
nodes:
  look_up:
    call: Tool
    settings: {tool: order_status, params: {order_id: "\${state:order_id}"}}
    outputs: {status: variables/step1/status, total: variables/step1/total}
  review:
    call: Ask
    settings: {question: "Order \${state:order_id} is worth \${state:total}. Approve it?", kind: confirm}
    outputs: {approved: answer}
  reply:
    call: LLM
    settings: {user_prompt: "Tell the customer that order \${state:order_id} is \${state:status}."}
    to_user: true
    outputs: {messages: text}
edges:
  - {source: look_up, router: '(state.total != null && state.total > 100.0) ? "review" : "reply"', possible_targets: [review, reply]}
  - {source: review, target: reply}
layout:
  look_up: {x: 0, y: 88}
  review: {x: 272, y: 0}
  reply: {x: 544, y: 88}
notes:
  - {x: 0, y: -72, width: 320, height: 56, text: "Orders over 100 wait for a person. Try 1042, then 2."}
`,
  },
  {
    title: "graphs.example.join.title",
    text: "graphs.example.join.text",
    yaml: `# Fan-out and join: the last step waits for both.
name: example_join
description: Asks two tools at the same time and puts their answers together
state:
  - {name: weather, type: str, update: overwrite}
  - {name: price, type: str, update: overwrite}
  - {name: report, type: str, update: overwrite}
entry: begin
nodes:
  begin: {call: Delay, settings: {seconds: 0}}
  weather: {call: Tool, settings: {tool: weather_from_page}, outputs: {weather: text}}
  price: {call: Tool, settings: {tool: price_with_fallback}, outputs: {price: text}}
  report:
    call: Convert
    settings:
      text: |
        Weather: \${state:weather}
        Price: \${state:price}
    outputs: {report: text}
    action_mode: all
edges:
  - {source: begin, target: weather}
  - {source: begin, target: price}
  - {source: weather, target: report}
  - {source: price, target: report}
layout:
  begin: {x: 0, y: 48}
  weather: {x: 272, y: 0}
  price: {x: 272, y: 96}
  report: {x: 544, y: 48}
`,
  },
  {
    title: "graphs.example.chat.title",
    text: "graphs.example.chat.text",
    yaml: `# A conversation: the model may look orders up before it answers.
name: example_chat
description: Answers questions about orders
inputs: [messages]
entry: answer
nodes:
  answer:
    call: LLM
    settings:
      system_prompt: You help with orders. Look an order up with the tool before you say anything about it.
      user_prompt: "\${sys:question}"
      tools: [order_status]
    to_user: true
    outputs: {messages: text}
edges: []
layout:
  answer: {x: 0, y: 0}
`,
  },
];
