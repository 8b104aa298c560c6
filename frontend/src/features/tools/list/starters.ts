import type { DocumentKind } from "@/shared/documents/kind";

/** Texts of tools to start from. They run on the sandbox, with no key and no network. */
export const EXAMPLES: DocumentKind["examples"] = [
  {
    title: "tools.example.order.title",
    text: "tools.example.order.text",
    yaml: `# Token, then data: the first step signs in, the second uses what it got.
name: example_order
desc: Looks an order up and says its status and amount
params:
  - name: order_id
    type: string
    required: true
    description: Number of the order, such as 1042
    default: "1042"
steps:
  - url: http://sandbox/token
    method: POST
    headers:
      Content-Type: application/json
    body: |
      {"client_id": "demo", "client_secret": "anything"}
    cache: true
    var:
      - name: token
        extract: access_token
        abort: true
  - url: http://sandbox/orders/secure/\${param:order_id}
    headers:
      Authorization: Bearer \${step0:token}
    var:
      - name: status
        extract: data.status
    result: |
      Order \${param:order_id} is \${step1:status}.
`,
  },
  {
    title: "tools.example.fallback.title",
    text: "tools.example.fallback.text",
    yaml: `# When the first source is down, its answer has no price, and the second is asked.
name: example_fallback
desc: Asks a flaky source for a price and falls back to the catalogue
steps:
  - url: http://sandbox/flaky?key=example
    var:
      - name: price
        extract: price
        jump: 1
    result: \${step0:price} (from the first source)
  - url: http://sandbox/items?page=1
    var:
      - name: price
        extract: items[0].price
        abort: true
    result: \${step1:price} (from the catalogue)
`,
  },
  {
    title: "tools.example.page.title",
    text: "tools.example.page.text",
    yaml: `# Regular expressions on HTML: group 1 of each pattern is the value.
name: example_page
desc: Reads the temperature from a weather station's page
steps:
  - url: http://sandbox/page.html
    var:
      - name: temperature
        extract: '/Temperature: <b>([0-9.]+)</b>/'
        abort: true
    result: It is \${step0:temperature} °C.
`,
  },
];
