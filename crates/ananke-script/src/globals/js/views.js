// `ctx.User`, `ctx.Team` and `ctx.Client`: objects whose members are those of `ctx.authorized` and `ctx.client`.
({ defineProperty, kept, keys, put }) => {
  const VIEWS = {
    __proto__: null,
    User: { holder: "authorized", id: "user_id", members: { __proto__: null, ID: "user_id", Name: "user_name" } },
    Team: { holder: "authorized", id: "team_id", other: "tenant_id", members: { __proto__: null, ID: "team_id", Name: "team_name" } },
    Client: { holder: "client", members: { __proto__: null, Type: "type", IP: "ip", UserAgent: "user_agent" } },
  };
  const isNil = (value) => value === undefined || value === null;
  const idOf = ({ id, other }, held) => held[id] ?? (other ? held[other] : undefined);

  const make = (context, view) => {
    const object = {};
    const names = keys(view.members);
    for (let n = 0; n < names.length; n++) {
      const member = view.members[names[n]];
      defineProperty(object, names[n], {
        __proto__: null,
        enumerable: true,
        configurable: true,
        get() {
          const held = context[view.holder];
          return isNil(held) ? undefined : member === view.id ? idOf(view, held) : held[member];
        },
        set(value) {
          if (isNil(context[view.holder])) context[view.holder] = {};
          put(context[view.holder], member, value, true);
        },
      });
    }
    return object;
  };
  const made = (context, name) => kept(context, name, () => make(context, VIEWS[name]));

  return {
    __proto__: null,
    get(context, name) {
      const view = VIEWS[name];
      const held = context[view.holder];
      const isThere = !isNil(held) && (!view.id || !isNil(idOf(view, held)));
      return isThere ? made(context, name) : null;
    },
    set(context, name, value) {
      const view = VIEWS[name];
      if (isNil(value)) {
        if (!view.id) {
          context[view.holder] = null;
          return;
        }
        if (isNil(context[view.holder])) context[view.holder] = {};
        const held = context[view.holder];
        held[view.id] = null;
        if (view.other && view.other in held) held[view.other] = null;
        return;
      }
      const object = made(context, name);
      const members = keys(view.members);
      for (let n = 0; n < members.length; n++) {
        const isNew = value[members[n]] !== object[members[n]];
        if (isNew) object[members[n]] = value[members[n]];
      }
      const own = keys(value);
      for (let n = 0; n < own.length; n++) if (!(own[n] in view.members)) put(object, own[n], value[own[n]], true);
    },
  };
}
