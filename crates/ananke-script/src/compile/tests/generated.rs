//! What files are compiled to.

use insta::assert_snapshot;

use super::{code, compiled, sharing};

#[test]
fn types_are_taken_out() {
    assert_snapshot!(code("
        interface A { x: number }
        type B = A | string;
        declare const outside: B;
        declare function elsewhere(): void;
        function over(a: string): string;
        function over(a: number): number;
        function over(a: any) { return a as any; }
        abstract class C<T> { abstract y(): T; declare z: T; w!: T; private v = 1; }
        const d = { a: 1 } satisfies Record<string, number>;
        let e = <string>d!.a;
        function f(this: Window, g?: string): asserts g is string {}
    "), @"
    function over(a) {
    	return a;
    }
    class C {
    	w;
    	v = 1;
    }
    const d = { a: 1 };
    let e = d.a;
    function f(g) {}
    export { over as __ananke$over, C as __ananke$C, d as __ananke$d, e as __ananke$e, f as __ananke$f };
    ");
}

#[test]
fn enums_namespaces_and_parameter_properties_become_code() {
    assert_snapshot!(code("
        enum Color { Red, Green = 'g' }
        const enum Size { Small = 1, Large }
        namespace Shop { export const tax = 2; export function total() { return tax; } }
        class Item { constructor(private readonly name: string, public price = 1) {} }
        export const x = [Color.Red, Size.Large, Shop.total(), new Item('a')];
    "), @r#"
    var Color = function(Color) {
    	Color[Color["Red"] = 0] = "Red";
    	Color["Green"] = "g";
    	return Color;
    }(Color || {});
    var Size = function(Size) {
    	Size[Size["Small"] = 1] = "Small";
    	Size[Size["Large"] = 2] = "Large";
    	return Size;
    }(Size || {});
    let Shop;
    (function(_Shop) {
    	const tax = _Shop.tax = 2;
    	function total() {
    		return tax;
    	}
    	_Shop.total = total;
    })(Shop || (Shop = {}));
    class Item {
    	name;
    	price;
    	constructor(name, price = 1) {
    		this.name = name;
    		this.price = price;
    	}
    }
    export const x = [
    	Color.Red,
    	Size.Large,
    	Shop.total(),
    	new Item("a")
    ];
    export { Color as __ananke$Color, Size as __ananke$Size, Shop as __ananke$Shop, Item as __ananke$Item, x as __ananke$x };
    "#);
}

#[test]
fn imports_of_types_are_left_out() {
    assert_snapshot!(code("
        import type { A } from './a';
        import { type B, c } from './b';
        import { D } from './d';
        import E, * as f from './f';
        import data from './data.json' with { type: 'json' };
        import './effect';
        export type { A } from './a';
        export { g } from './g';
        export * from './h';
        let x: D = c(f.y, data);
    "), @r#"
    import { c } from "./b";
    import * as f from "./f";
    import data from "./data.json" with { type: "json" };
    import "./effect";
    export { g } from "./g";
    export * from "./h";
    let x = c(f.y, data);
    export { c as __ananke$c, f as __ananke$f, data as __ananke$data, x as __ananke$x };
    "#);
}

#[test]
fn every_name_of_the_top_level_is_exported_once_more() {
    assert_snapshot!(code("
        function plain() {}
        export function known() {}
        export default class Main {}
        const { a, b: [c, ...d], ...e } = f({ g: (h) => h }), i = 1;
        function f(x: any) { var inner; return x; }
        export { plain as renamed, i as 'with space', a };
        using j = f(1);
    "), @r#"
    function plain() {}
    export function known() {}
    export default class Main {}
    0;
    const { a, b: [c, ...d], ...e } = f({ g: (h) => h }), i = 1;
    function f(x) {
    	var inner;
    	return x;
    }
    export { plain as renamed, i as "with space", a };
    using j = f(1);
    export { plain as __ananke$plain, known as __ananke$known, Main as __ananke$Main, a as __ananke$a, c as __ananke$c, d as __ananke$d, e as __ananke$e, i as __ananke$i, f as __ananke$f, j as __ananke$j, plain as __ananke$renamed };
    "#);
    assert_snapshot!(code("export default (a: number) => a;"), @"export default (a) => a;");
    assert_snapshot!(compiled("a.ts", "enum A {}\ntype B = 1;\nimport c from './c';\nimport d from './d';\nclass E {}\nlet f = c, g;").names().join(" "), @"A c E f g");
    assert_snapshot!(code("type OnlyTypes = 1;"), @"");
}

#[test]
fn other_scripts_import_what_is_exported() {
    let exports = |text: &str| compiled("a.ts", text).exports("/a.ts");
    assert_snapshot!(exports("
        function own() {}
        export const { one, b: [two] } = f();
        export default function main() {}
        export { own as renamed, own as 'with space', type T };
        export { g, default as h } from './g';
        export * as all from './h';
        export * from './i';
        export type * from './j';
        export interface T {}
        export enum Color { Red }
        export namespace Shop { export const x = 1; }
    "), @r#"
    export { one, two, default, renamed, "with space", g, h, all, Color, Shop } from "ananke:whole:/a.ts";
    export * from "./i";
    "#);
    assert_snapshot!(exports("const own = 1;"), @r#"export {  } from "ananke:whole:/a.ts";"#);
    assert_snapshot!(compiled("a.json", "{}").exports("/a.json"), @r#"export { default } from "ananke:whole:/a.json";"#);
}

#[test]
fn a_test_file_sees_the_names_of_its_module() {
    let names = ["Ready", "Shop", "Item", "hidden", "Error", "T"];
    assert_snapshot!(sharing("
        function TestA(t: any, item: Item) { let hidden = 1; t.assert.True(Ready(new Shop.X(), hidden)); throw new Error(); }
        let x: typeof T;
    ", &names), @r#"
    import { __ananke$Ready as Ready, __ananke$Shop as Shop } from "./a.ts";
    function TestA(t, item) {
    	let hidden = 1;
    	t.assert.True(Ready(new Shop.X(), hidden));
    	throw new Error();
    }
    let x;
    export { TestA as __ananke$TestA, x as __ananke$x };
    "#);
    assert_snapshot!(sharing("import { Ready } from './other'; function TestA() { Ready(); }", &names), @r#"
    import "./a.ts";
    import { Ready } from "./other";
    function TestA() {
    	Ready();
    }
    export { Ready as __ananke$Ready, TestA as __ananke$TestA };
    "#);
    assert_snapshot!(sharing("export { hidden };", &names), @r#"
    import { __ananke$hidden as hidden } from "./a.ts";
    export { hidden };
    "#);
}

#[test]
fn javascript_stays_as_it_is() {
    assert_snapshot!(compiled("a.js", "#!/usr/bin/env node\n'use strict';\nexport async function f(a) { for await (const x of a) yield_(x?.y ?? 1n); }\nclass A { #p = 1; static { this.q = /[a-z]/v; } }\n").code, @r#"
    "use strict";
    export async function f(a) {
    	0;
    	for await (const x of a) yield_(x?.y ?? 1n);
    }
    class A {
    	#p = 1;
    	static {
    		this.q = /[a-z]/v;
    	}
    }
    export { f as __ananke$f, A as __ananke$A };
    "#);
    assert_snapshot!(compiled("a.cjs", "const a = require('a');").code, @r#"
    const a = require("a");
    export { a as __ananke$a };
    "#);
}

#[test]
fn a_byte_order_mark_and_carriage_returns_are_fine() {
    assert_snapshot!(code("\u{feff}const a: number = 1;\r\nconst b = `x\r\ny`;\r\n"), @"
    const a = 1;
    const b = `x
    y`;
    export { a as __ananke$a, b as __ananke$b };
    ");
}

#[test]
fn json_is_the_default_export() {
    assert_snapshot!(compiled("a.json", "\u{feff}{\"a\": [1, \"\\u2028\\\"\"], \"__proto__\": null}\n").code, @r#"export default JSON.parse("{\"a\": [1, \"\\u2028\\\"\"], \"__proto__\": null}\n");"#);
}
