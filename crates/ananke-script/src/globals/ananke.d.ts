// Types of what scripts are given by ananke: test functions, checks, hooks, agents and tools. Keep this file beside the scripts
// so that editors know it; `ananke init --scripts` writes it anew.
//
// `console`, timers, `URL`, `fetch` and their like are those of TypeScript's library `DOM`, or of `@types/node`, if there is one of
// them; else they are those at the end of this file.

declare namespace testing {
  /** What a test function is given first. It cannot be changed. */
  interface T {
    /** What is demanded: the first that does not hold stops the function. */
    readonly assert: Assert;
    /** The name of the function; in a subtest `TestCart/empty cart`. */
    readonly name: string;
    /** Whether something failed so far. */
    readonly failed: boolean;
    /** Whether it skipped itself. */
    readonly skipped: boolean;
    /** The context, as in the second argument. */
    readonly context: agent.Context;
    /** When the function has to have ended, in milliseconds since 1970. */
    readonly deadline: number;

    /** Logs a line, which is kept in reports. */
    log(...args: any[]): void;
    /** Logs a line and marks the test as failed; goes on. */
    error(...args: any[]): void;
    /** Skips the test: the function stops here. */
    skip(reason?: string): never;
    /** Marks the test as failed; goes on. */
    fail(reason?: string): void;
    /** Marks the test as failed; the function stops here. */
    fatal(reason?: string): never;

    /** Runs a subtest. What fails in it fails this test too, and stops only the subtest. Tells whether it went well. */
    run(name: string, body: (t: T, ctx: agent.Context) => Promise<any>): Promise<boolean>;
    run(name: string, body: (t: T, ctx: agent.Context) => void): boolean;
    /** Calls a function when the test has ended, the last one first. */
    cleanup(body: () => any): void;
    /** Puts a function in the place of a method until the test has ended. */
    mock<O extends object>(object: O, method: keyof O | (string & {}) | symbol, stand_in: (...args: any[]) => any): Mock;
    /** Answers a process, such as `models.user.Find` or `models.*`, until the test has ended. */
    mockProcess(name: string, stand_in: (...args: any[]) => any): Mock;
    /** How many milliseconds are left. */
    timeLeft(): number;
  }

  /** What stands in for a function. */
  interface Mock {
    /** How it was called, in order. */
    readonly calls: Call[];
    /** How often it was called. */
    readonly callCount: number;
    /** Puts back what was there. This is done at the end of the test anyway. */
    restore(): void;
  }

  /** A call of a function that something stands in for. */
  interface Call {
    /** The process, if it was one. */
    name?: string;
    args: any[];
    result?: any;
    error?: any;
  }

  /** Assertions. Each takes a message, which is told instead of its own when it does not hold. */
  interface Assert {
    /** The value is true, or counts as true. */
    True(value: any, message?: string): void;
    /** The value is false, or counts as false. */
    False(value: any, message?: string): void;
    /** Both are deeply equal; the order of members does not matter, and `null` equals `undefined`. */
    Equal(actual: any, expected: any, message?: string): void;
    /** They are not deeply equal. */
    NotEqual(actual: any, expected: any, message?: string): void;
    /** The value is `null` or `undefined`. */
    Nil(value: any, message?: string): void;
    /** The value is neither `null` nor `undefined`. */
    NotNil(value: any, message?: string): void;
    /** The text contains the other, or the list a member. */
    Contains(value: any, part: any, message?: string): void;
    /** The text does not contain the other, nor the list such a member. */
    NotContains(value: any, part: any, message?: string): void;
    /** So many characters, items or members. */
    Len(value: any, length: number, message?: string): void;
    /** `a > b`, as numbers. */
    Greater(a: any, b: any, message?: string): void;
    /** `a >= b`, as numbers. */
    GreaterOrEqual(a: any, b: any, message?: string): void;
    /** `a < b`, as numbers. */
    Less(a: any, b: any, message?: string): void;
    /** `a <= b`, as numbers. */
    LessOrEqual(a: any, b: any, message?: string): void;
    /** There is an error: the value is neither `null` nor `undefined`. */
    Error(error: any, message?: string): void;
    /** There is no error. */
    NoError(error: any, message?: string): void;
    /** The function throws; what it throws is returned. */
    Panic<R>(body: () => R, message?: string): [R] extends [never] ? any : R extends Promise<any> ? Promise<any> : any;
    /** The function does not throw; what it returns is returned. */
    NoPanic<R>(body: () => R, message?: string): R;
    /** The text matches a pattern. */
    Match(value: any, pattern: string | RegExp, message?: string): void;
    /** The text does not match a pattern. */
    NotMatch(value: any, pattern: string | RegExp, message?: string): void;
    /** What stands at the path is deeply equal to `expected`. */
    JSONPath(object: any, path: string, expected: any, message?: string): void;
    /** The value is of a type. */
    Type(value: any, type: TypeName, message?: string): void;
    /** An agent finds that the response is as the criteria say. Without a verdict the test is inconclusive. */
    Agent(response: any, agent: string, options: JudgeOptions, message?: string): void;
  }

  /** What `Type` knows. */
  type TypeName =
    | "string" | "number" | "boolean" | "array" | "function" | "object" | "null" | "undefined" | "bigint" | "symbol"
    | (string & {});

  /** What a judge is told. */
  interface JudgeOptions {
    /** What the response has to be like; it may stand in `metadata` instead. */
    criteria?: any;
    metadata?: Record<string, any>;
    connector?: string;
    mode?: string;
    search?: any;
    skip?: any;
  }

  /** What `TestMain` is given. */
  interface M {
    /** Runs the tests; 0 if all went well, else 1. */
    run(): number;
    Run(): number;
    log(...args: any[]): void;
    readonly ctx: agent.Context;
  }

  /** `function TestName(t, ctx)`. Also the shape of `BeforeAll`, `AfterAll`, `BeforeEach` and `AfterEach`. */
  type TestFunction = (t: T, ctx: agent.Context) => void | Promise<void>;
}

declare namespace agent {
  /**
   * Who asks, and from where. Both spellings of a member are one thing: what is written through one shows in the other. As JSON
   * it has the members with underscores.
   */
  interface Context {
    /** From `-u`; `null` if there is nobody. */
    get User(): Named;
    set User(user: Named | null);
    /** From `-t`; `null` if there is none. */
    get Team(): Named;
    set Team(team: Named | null);
    Locale: string;
    get Client(): Client;
    set Client(client: Partial<Client> | null);
    Metadata: Record<string, any>;
    ChatID: string;
    AssistantID: string;
    Authorized: Authorization;
    Referer?: string;
    Theme?: string;
    Accept?: string;
    Route?: string;

    chat_id: string;
    assistant_id: string;
    locale: string;
    theme?: string;
    referer?: string;
    accept?: string;
    route?: string;
    client: { type: string; user_agent?: string; ip: string };
    metadata: Record<string, any>;
    authorized: Authorization;

    /** What is remembered, by whom it belongs to. It lives as long as the test file runs. */
    readonly memory: { readonly user: Space; readonly team: Space; readonly chat: Space; readonly context: Space };

    /** What was sent through `Send` and its like. Only in tests. */
    readonly sent: Sent[];
    /** Sends a message; returns its id. */
    Send(message: string | Outgoing, block?: string): string;
    /** Begins a message that is added to by `Append` and ended by `End`; returns its id. */
    SendStream(message: string | Outgoing, block?: string): string;
    Append(id: string, content: string | Outgoing, path?: string): string;
    Replace(id: string, message: string | Outgoing): string;
    Merge(id: string, data: Record<string, any>, path?: string): string;
    Set(id: string, value: any, path?: string): string;
    End(id: string, content?: string): string;
    MessageID(): string;
    BlockID(): string;
    ThreadID(): string;

    /** Other agents: `Call` asks one. The rest is to be mocked. */
    agent: { Call(id: string, messages: Messages, options?: CallOptions): Reply; [method: string]: (...args: any[]) => any };
    /** Takes everything and does nothing. */
    trace: any;
    /** Not there in tests: mock what is called. */
    mcp: Service;
    llm: Service;
    search: Service;
    db: Service;
    kb: Service;
    [member: string]: any;
  }

  interface Named {
    ID: string;
    Name?: string;
    [member: string]: any;
  }

  interface Client {
    Type: string;
    IP: string;
    UserAgent?: string;
    [member: string]: any;
  }

  interface Authorization {
    user_id?: string | null;
    team_id?: string | null;
    tenant_id?: string | null;
    sub?: string;
    client_id?: string;
    scope?: string;
    session_id?: string;
    remember_me?: boolean;
    constraints?: {
      owner_only?: boolean;
      creator_only?: boolean;
      editor_only?: boolean;
      team_only?: boolean;
      extra?: Record<string, any>;
    };
    [member: string]: any;
  }

  /** A service of which every method has to be mocked. */
  type Service = { [method: string]: (...args: any[]) => any };

  /** A space of `ctx.memory`. Values are copied in and out; `ttl` is in seconds. */
  interface Space {
    Get(key: string): any;
    Set(key: string, value: any, ttl?: number): void;
    Has(key: string): boolean;
    /** Removes a value; `prefix*` removes all that begin so. */
    Del(key: string): void;
    Keys(): string[];
    Values(): any[];
    Len(): number;
    Clear(): void;
    Incr(key: string, delta?: number): number;
    Decr(key: string, delta?: number): number;
    GetDel(key: string): any;
    GetSet(key: string, value: any, ttl?: number): any;
    MGet(keys: string[]): Record<string, any>;
    MSet(values: Record<string, any>, ttl?: number): void;
    MDel(keys: string[]): void;
    GetMulti(keys: string[]): Record<string, any>;
    SetMulti(values: Record<string, any>, ttl?: number): void;
    DelMulti(keys: string[]): void;
    Push(key: string, ...values: any[]): number;
    /** Takes the last item, or with -1 the first. */
    Pop(key: string, position?: 1 | -1): any;
    Pull(key: string, value: any): void;
    PullAll(key: string, values: any[]): void;
    AddToSet(key: string, ...values: any[]): void;
    ArrayLen(key: string): number;
    ArrayGet(key: string, index: number): any;
    ArraySet(key: string, index: number, value: any): void;
    ArraySlice(key: string, skip: number, limit?: number): any[];
    ArrayPage(key: string, page: number, size: number): any[];
    ArrayAll(key: string): any[];
  }

  /** A message of a conversation. */
  interface Message {
    role: "user" | "assistant" | "system" | "developer" | "tool" | (string & {});
    content?: string | ContentPart[] | null;
    name?: string;
    tool_calls?: any[];
    tool_call_id?: string;
    [member: string]: any;
  }

  interface ContentPart {
    type: string;
    text?: string;
    [member: string]: any;
  }

  type Messages = Message[] | Message | string;

  /** A message that is shown to the user. */
  interface Outgoing {
    type: string;
    props?: Record<string, any>;
    [member: string]: any;
  }

  interface Sent extends Outgoing {
    props: any;
    message_id: string;
    block_id?: string;
    ended?: boolean;
  }

  interface CallOptions {
    connector?: string;
    metadata?: Record<string, any>;
    [member: string]: any;
  }

  /** What `Process("agents.<id>.Stream", ctx, messages)` returns. */
  interface Reply {
    content: string;
    tool_calls: ToolCall[];
    [member: string]: any;
  }

  interface ToolCall {
    id?: string;
    name: string;
    arguments?: any;
    result?: any;
    error?: any;
    [member: string]: any;
  }

  /** What the hook `Create` may return: how the model is to be asked. */
  type Create = {
    messages?: Message[];
    audio?: any;
    temperature?: number;
    max_tokens?: number;
    max_completion_tokens?: number;
    mcp_servers?: any[];
    prompt_preset?: string;
    disable_global_prompts?: boolean;
    connector?: string;
    locale?: string;
    theme?: string;
    route?: string;
    metadata?: Record<string, any>;
    uses?: any;
    force_uses?: boolean;
    search?: any;
    delegate?: Delegate;
  } | null | undefined | void;

  /** What the hook `Next` is given. */
  interface NextHookPayload {
    messages: Message[];
    completion?: { content?: any; tool_calls?: any[]; [member: string]: any } | null;
    tools?: ToolResult[];
    error?: string;
  }

  /** What a tool that the model called came to. */
  interface ToolResult {
    toolcall_id: string;
    server: string;
    tool: string;
    arguments?: any;
    result?: any;
    error?: string;
  }

  /** What the hook `Next` may return. */
  type Next = { data?: any; metadata?: Record<string, any>; delegate?: Delegate } | null | undefined | void;

  interface Delegate {
    agent_id: string;
    messages: Message[];
    options?: Record<string, any>;
  }
}

/** Scripts that take part in tests of agents. */
declare namespace ananke {
  /** A turn, as a check sees it. */
  interface Turn {
    text: string;
    status: string;
    tool_calls: { id: string; name: string; args: any; result?: any; error?: any }[];
    messages: any[];
    state: any;
    usage?: any;
    timing?: any;
    metadata?: any;
    [member: string]: any;
  }

  /** What a check returns. Anything else is no verdict, and never a pass. */
  type Verdict = boolean | { pass: boolean; message?: string };

  /** `script: "scripts.tests.Check"`: judges the reply, which is given as JSON if it is JSON, else as text. */
  type Check = (output: any, input: any, expected: any, turn: Turn) => Verdict | Promise<Verdict>;

  /** `before` of a case. What it returns, or its member `data`, is handed to `after`. */
  type Before = (ctx: agent.Context, testCase: any) => any;
  /** `after` of a case: it runs whenever `before` went well. */
  type After = (ctx: agent.Context, testCase: any, result: any, beforeData: any) => any;
  /** `--before-all`. */
  type BeforeAll = (ctx: agent.Context, cases: any[]) => any;
  /** `--after-all`. */
  type AfterAll = (ctx: agent.Context, results: any[], beforeData: any) => any;

  /** `type: script`: a function that answers as an agent. */
  type Agent = (request: AgentRequest) => AgentReply | Promise<AgentReply>;
  interface AgentRequest {
    messages: agent.Message[];
    input: any;
    thread_id?: string;
    run_id?: string;
    options?: Record<string, any>;
    context?: any;
    [member: string]: any;
  }
  type AgentReply = string | { [member: string]: any };
}

/** What a test function is given first. */
type TestingT = testing.T;
/** What a test function is given second. */
type Context = agent.Context;
/** A message of a conversation. */
type Message = agent.Message;

/** Asks an agent. An agent that fails throws. */
declare function Process(name: `agents.${string}.Stream`, ctx: agent.Context | null, messages: agent.Messages, options?: agent.CallOptions): agent.Reply;
/** Calls a process: what `t.mockProcess` answers, or a function of another script, such as `scripts.orders.Find`. */
declare function Process(name: string, ...args: any[]): any;

/** Who is asking: `authorized` of the context. */
declare function Authorized(): agent.Authorization;

/** An error with a code. */
interface Exception extends Error {
  code: number;
}
declare const Exception: {
  new (message: string, code?: number): Exception;
  (message: string, code?: number): Exception;
  readonly prototype: Exception;
};

/** Logs with a format: `%s`, `%d`, `%v`. */
declare const log: {
  Trace(format: any, ...args: any[]): void;
  Debug(format: any, ...args: any[]): void;
  Info(format: any, ...args: any[]): void;
  Warn(format: any, ...args: any[]): void;
  Error(format: any, ...args: any[]): void;
  Fatal(format: any, ...args: any[]): void;
  Panic(format: any, ...args: any[]): void;
};

/** Requests that wait for their answer. Hosts have to be granted: `scripts: {net: [api.example.com]}`. */
declare const http: {
  Get(url: string, query?: any, headers?: Record<string, any> | null): HttpResponse;
  Post(url: string, payload?: any, files?: null, query?: any, headers?: Record<string, any> | null): HttpResponse;
  Put(url: string, payload?: any, query?: any, headers?: Record<string, any> | null): HttpResponse;
  Patch(url: string, payload?: any, query?: any, headers?: Record<string, any> | null): HttpResponse;
  Delete(url: string, payload?: any, query?: any, headers?: Record<string, any> | null): HttpResponse;
  Head(url: string, payload?: any, query?: any, headers?: Record<string, any> | null): HttpResponse;
  Send(method: string, url: string, payload?: any, query?: any, headers?: Record<string, any> | null): HttpResponse;
};

interface HttpResponse {
  /** 0 if there was no answer; `message` says why. */
  status: number;
  code: number;
  /** Parsed if it is JSON, else a text. */
  data: any;
  headers: Record<string, string[]>;
  message: string;
}

/** Files below folders that were granted: `scripts: {fs: [./testdata]}`. Relative paths begin at the project's root. */
declare const fs: {
  readText(file: string): string;
  readJson(file: string): any;
  exists(path: string): boolean;
  list(folder: string): string[];
  /** Writes a file; folders are made. */
  writeText(file: string, text: string): void;
  /** Removes a file, or an empty folder. */
  remove(path: string): void;
};

/** Environment variables that were granted: `scripts: {env: [API_KEY]}`. Asking for another throws. */
declare const env: { get(name: string): string | undefined; readonly [name: string]: any };

/** What is there without TypeScript's library `DOM` too. Where there is one, its types are those that count. */
declare namespace globals {
  /** `Own`, unless others declare it. */
  type Without<Own> = typeof globalThis extends { onmessage: any } ? {} : typeof globalThis extends { __filename: any } ? {} : Own;

  interface Console {
    log(...args: any[]): void;
    info(...args: any[]): void;
    debug(...args: any[]): void;
    warn(...args: any[]): void;
    error(...args: any[]): void;
    [method: string]: (...args: any[]) => void;
  }
  /** What can be iterated, where TypeScript's library knows of that. */
  type Iterated<V> = Pick<V[], Extract<keyof V[], symbol>>;
  interface Pairs extends Iterated<[string, string]> {
    append(name: string, value: string): void;
    delete(name: string): void;
    get(name: string): string | null;
    has(name: string): boolean;
    set(name: string, value: string): void;
    forEach(callback: (value: string, name: string) => void): void;
    entries(): Iterated<[string, string]>;
    keys(): Iterated<string>;
    values(): Iterated<string>;
  }
  interface SearchParams extends Pairs {
    readonly size: number;
    getAll(name: string): string[];
    sort(): void;
    toString(): string;
  }
  interface Address {
    href: string;
    protocol: string;
    username: string;
    password: string;
    host: string;
    hostname: string;
    port: string;
    pathname: string;
    search: string;
    hash: string;
    readonly origin: string;
    readonly searchParams: URLSearchParams;
    toString(): string;
    toJSON(): string;
  }
  interface HeaderList extends Pairs {
    getSetCookie(): string[];
  }
  interface Answer {
    readonly ok: boolean;
    readonly status: number;
    readonly statusText: string;
    readonly url: string;
    readonly headers: Headers;
    json(): Promise<any>;
    text(): Promise<string>;
    arrayBuffer(): Promise<ArrayBuffer>;
  }
  interface Asking {
    method?: string;
    headers?: any;
    body?: any;
    signal?: AbortSignal | null;
    [option: string]: any;
  }
  interface Signal {
    readonly aborted: boolean;
    readonly reason: any;
    onabort: ((event: any) => any) | null;
    throwIfAborted(): void;
    addEventListener(type: string, listener: (event: any) => any, options?: any): void;
    removeEventListener(type: string, listener: (event: any) => any): void;
  }
  interface Controller {
    readonly signal: AbortSignal;
    abort(reason?: any): void;
  }
  interface Encoder {
    encode(text?: string): Uint8Array;
  }
  interface Decoder {
    decode(bytes?: ArrayBuffer | ArrayBufferView): string;
  }
  interface Random {
    randomUUID(): string;
    getRandomValues<A>(array: A): A;
  }
}

interface URL extends globals.Without<globals.Address> {}
interface URLSearchParams extends globals.Without<globals.SearchParams> {}
interface Headers extends globals.Without<globals.HeaderList> {}
interface Response extends globals.Without<globals.Answer> {}
interface AbortSignal extends globals.Without<globals.Signal> {}
interface AbortController extends globals.Without<globals.Controller> {}
interface TextEncoder extends globals.Without<globals.Encoder> {}
interface TextDecoder extends globals.Without<globals.Decoder> {}

declare var console: typeof globalThis extends { onmessage: any; console: infer T } ? T : globals.Console;
declare var crypto: typeof globalThis extends { onmessage: any; crypto: infer T } ? T : globals.Random;
declare var performance: typeof globalThis extends { onmessage: any; performance: infer T } ? T : { now(): number };
declare var URL: typeof globalThis extends { onmessage: any; URL: infer T } ? T : { new (url: string | URL, base?: string | URL): URL; canParse(url: string, base?: string): boolean; parse(url: string, base?: string): URL | null };
declare var URLSearchParams: typeof globalThis extends { onmessage: any; URLSearchParams: infer T } ? T : { new (init?: any): URLSearchParams };
declare var Headers: typeof globalThis extends { onmessage: any; Headers: infer T } ? T : { new (init?: any): Headers };
declare var Response: typeof globalThis extends { onmessage: any; Response: infer T } ? T : { new (body?: any, init?: any): Response };
declare var AbortSignal: typeof globalThis extends { onmessage: any; AbortSignal: infer T } ? T : { abort(reason?: any): AbortSignal; timeout(milliseconds: number): AbortSignal; any(signals: AbortSignal[]): AbortSignal };
declare var AbortController: typeof globalThis extends { onmessage: any; AbortController: infer T } ? T : { new (): AbortController };
declare var TextEncoder: typeof globalThis extends { onmessage: any; TextEncoder: infer T } ? T : { new (): TextEncoder };
declare var TextDecoder: typeof globalThis extends { onmessage: any; TextDecoder: infer T } ? T : { new (label?: string, options?: any): TextDecoder };

declare function setTimeout(callback: (...args: any[]) => void, milliseconds?: number, ...args: any[]): number;
declare function setInterval(callback: (...args: any[]) => void, milliseconds?: number, ...args: any[]): number;
declare function setImmediate(callback: (...args: any[]) => void, ...args: any[]): number;
declare function clearTimeout(id?: number | null): void;
declare function clearInterval(id?: number | null): void;
declare function clearImmediate(id?: number | null): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<V>(value: V, options?: any): V;
declare function atob(text: string): string;
declare function btoa(text: string): string;
declare function fetch(url: string | URL, options?: globals.Asking): Promise<Response>;

declare module "@yao/runtime" {
  import agentTypes = agent;
  import testingTypes = testing;
  import anankeTypes = ananke;
  const process: typeof Process;
  const authorized: typeof Authorized;
  const exception: typeof Exception;
  type exception = Exception;
  const requests: typeof http;
  const logs: typeof log;
  const files: typeof fs;
  const variables: typeof env;
  type Test = TestingT;
  type Asking = Context;
  type Said = Message;
  export {
    agentTypes as agent, testingTypes as testing, anankeTypes as ananke, process as Process, authorized as Authorized,
    exception as Exception, requests as http, logs as log, files as fs, variables as env, Test as TestingT, Asking as Context,
    Said as Message,
  };
}

declare module "ananke" {
  export * from "@yao/runtime";
}
