//! `ctx`.

use insta::assert_snapshot;

use super::support::{lines, run};

#[test]
fn both_spellings_are_one_thing() {
    assert_snapshot!(lines(&[
        "[ctx.User.ID, ctx.Team.ID, ctx.Locale, ctx.Client.Type, ctx.Client.IP, ctx.Client.UserAgent, ctx.ChatID, ctx.AssistantID, ctx.Referer, ctx.Accept]",
        "(ctx.Locale = 'zh-cn', ctx.locale)",
        "(ctx.locale = 'de', ctx.Locale)",
        "ctx.Metadata === ctx.metadata && ctx.Authorized === ctx.authorized",
        "(ctx.Metadata.config = null, ctx.metadata)",
        "(ctx.User.ID = 'admin', ctx.authorized.user_id)",
        "(ctx.authorized.user_id = 'root', ctx.User.ID)",
        "(ctx.User.Name = 'Ada', [ctx.User.Name, ctx.User === ctx.User])",
        "(ctx.Client.Type = 'web', ctx.client.type)",
        "(ctx.User = null, [ctx.User, ctx.authorized.user_id])",
        "(ctx.User = { ID: 'b', Name: 'Bob', Role: 'x' }, [ctx.User, ctx.authorized.user_id])",
        "(ctx.Team = null, ctx.Team)",
        "(ctx.authorized.tenant_id = 'acme', ctx.Team.ID)",
        "(ctx.Client = null, [ctx.Client, ctx.client])",
        "(ctx.Client = { Type: 'app' }, ctx.client.type)",
        "(ctx.authorized = null, [ctx.User, ctx.Team])",
        "(ctx.User = { ID: 'c' }, ctx.authorized.user_id)",
        "ctx.User.ID.toUpperCase()",
        "(ctx.User = undefined, ctx.User.ID)",
    ]), @r#"
    [ctx.User.ID, ctx.Team.ID, ctx.Locale, ctx.Client.Type, ctx.Client.IP, ctx.Client.UserAgent, ctx.ChatID, ctx.AssistantID, ctx.Referer, ctx.Accept] → ["test-user","test-team","en-us","test","127.0.0.1","ananke","chat-1","shop","test","standard"]
    (ctx.Locale = 'zh-cn', ctx.locale) → zh-cn
    (ctx.locale = 'de', ctx.Locale) → de
    ctx.Metadata === ctx.metadata && ctx.Authorized === ctx.authorized → true
    (ctx.Metadata.config = null, ctx.metadata) → {"request_id":"r1","config":null}
    (ctx.User.ID = 'admin', ctx.authorized.user_id) → admin
    (ctx.authorized.user_id = 'root', ctx.User.ID) → root
    (ctx.User.Name = 'Ada', [ctx.User.Name, ctx.User === ctx.User]) → ["Ada",true]
    (ctx.Client.Type = 'web', ctx.client.type) → web
    (ctx.User = null, [ctx.User, ctx.authorized.user_id]) → [null,null]
    (ctx.User = { ID: 'b', Name: 'Bob', Role: 'x' }, [ctx.User, ctx.authorized.user_id]) → [{"ID":"b","Name":"Bob","Role":"x"},"b"]
    (ctx.Team = null, ctx.Team) → null
    (ctx.authorized.tenant_id = 'acme', ctx.Team.ID) → acme
    (ctx.Client = null, [ctx.Client, ctx.client]) → [null,null]
    (ctx.Client = { Type: 'app' }, ctx.client.type) → app
    (ctx.authorized = null, [ctx.User, ctx.Team]) → [null,null]
    (ctx.User = { ID: 'c' }, ctx.authorized.user_id) → c
    ctx.User.ID.toUpperCase() → C
    (ctx.User = undefined, ctx.User.ID) ✗ TypeError: cannot read property 'ID' of null
    "#);
}

#[test]
fn as_json_it_has_each_member_once() {
    assert_snapshot!(run("ctx.extra = 1; return JSON.stringify(ctx)"), @r#"{"chat_id":"chat-1","assistant_id":"shop","locale":"en-us","referer":"test","accept":"standard","client":{"type":"test","user_agent":"ananke","ip":"127.0.0.1"},"metadata":{"request_id":"r1"},"authorized":{"user_id":"test-user","team_id":"test-team"},"extra":1}"#);
    assert_snapshot!(run("const copy = { ...ctx, User: null }; return [copy.User, copy.Locale, copy.locale, copy.ChatID]"), @r#"[null,"en-us","en-us","chat-1"]"#);
}

#[test]
fn what_is_sent_can_be_looked_at() {
    assert_snapshot!(run(r#"
        const id = ctx.Send("hello");
        const other = ctx.SendStream({ type: "text", props: { content: "a" } }, ctx.BlockID());
        ctx.Append(other, "b"); ctx.Append(other, { props: { content: "c" } }); ctx.Set(other, 7, "props.n"); ctx.Merge(other, { m: 1 });
        ctx.End(other, "!"); ctx.Replace(id, { type: "card", props: {} });
        console.log(id, other, ctx.MessageID(), ctx.ThreadID());
        console.log(ctx.sent);
        ctx.Append("none", "x");
    "#), @r#"
    info: M1 M2 M3 T1
    info: [{"type":"card","props":{},"message_id":"M1"},{"type":"text","props":{"content":"abc!","n":7,"m":1},"message_id":"M2","block_id":"B1","ended":true}]
    Thrown: ctx.Append: no message `none` was sent (main.ts:9:13)
    "#);
}

#[test]
fn services_that_are_not_there_say_so() {
    assert_snapshot!(lines(&[
        "ctx.llm.Stream('m')",
        "ctx.mcp.CallTool('server', 'tool')",
        "ctx.search.Web('x')",
        "ctx.agent.All([])",
        "ctx.agent.Call('shop', [{ role: 'user', content: 'hi' }]).content",
        "ctx.trace.Add({}).Info('x').Complete()",
        "ctx.trace.x().y.z().id.w(1)",
        "`${ctx.trace.id}`.length > 0",
        "ctx.llm.a.b()",
        "ctx.llm.a.b.c.d(1)",
        "ctx.agent.x.y()",
        "(ctx.llm.models.List = () => ['m'], ctx.llm.models.List())",
        "await ctx.llm.a",
        "await ctx.llm",
        "(ctx.llm = { Stream: () => 'own' }, ctx.llm.Stream())",
        "(ctx.db.Find = () => 1, ctx.db.Find())",
        "Object.keys(ctx).includes('llm')",
    ]), @r#"
    ctx.llm.Stream('m') ✗ Error: ctx.llm.Stream is not available in tests; answer it with t.mock(ctx.llm, "Stream", fn)
    ctx.mcp.CallTool('server', 'tool') ✗ Error: ctx.mcp.CallTool is not available in tests; answer it with t.mock(ctx.mcp, "CallTool", fn)
    ctx.search.Web('x') ✗ Error: ctx.search.Web is not available in tests; answer it with t.mock(ctx.search, "Web", fn)
    ctx.agent.All([]) ✗ Error: ctx.agent.All is not available in tests; answer it with t.mock(ctx.agent, "All", fn)
    ctx.agent.Call('shop', [{ role: 'user', content: 'hi' }]).content → hello from shop
    ctx.trace.Add({}).Info('x').Complete() → {}
    ctx.trace.x().y.z().id.w(1) → {}
    `${ctx.trace.id}`.length > 0 → true
    ctx.llm.a.b() ✗ Error: ctx.llm.a.b is not available in tests; answer it with t.mock(ctx.llm.a, "b", fn)
    ctx.llm.a.b.c.d(1) ✗ Error: ctx.llm.a.b.c.d is not available in tests; answer it with t.mock(ctx.llm.a.b.c, "d", fn)
    ctx.agent.x.y() ✗ Error: ctx.agent.x.y is not available in tests; answer it with t.mock(ctx.agent.x, "y", fn)
    (ctx.llm.models.List = () => ['m'], ctx.llm.models.List()) → ["m"]
    await ctx.llm.a → [Function]
    await ctx.llm → {}
    (ctx.llm = { Stream: () => 'own' }, ctx.llm.Stream()) → own
    (ctx.db.Find = () => 1, ctx.db.Find()) → 1
    Object.keys(ctx).includes('llm') → false
    "#);
}
