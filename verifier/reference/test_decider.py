"""A second compiler of deciders, from section 11 of ../SPEC.md alone, to compare with decider.py.

It shares the reading of keys and nothing else. Forms are dictionaries: () is the constant, (v,) a variable, (v, w)
a product.
"""

import unittest

from decider import Decider
from test_compact import CIRCUITS, REAL_CIRCUITS, real_circuit
from fast import DELTA, OMEGA_28, r


def inv(a):
    return pow(a, r - 2, r)


def clean(F):
    return {monomial: f % r for monomial, f in F.items() if f % r}


def plus(F, G):
    return clean({monomial: F.get(monomial, 0) + G.get(monomial, 0) for monomial in {*F, *G}})


def scale(F, f):
    return clean({monomial: f * g for monomial, g in F.items()})


def parts(F):
    return [m[0] for m in F if len(m) == 1], [m for m in F if len(m) == 2]


def constant(F):
    return set(F) <= {()}


def affine(F):
    singles, pairs = parts(F)
    return not pairs and len(singles) <= 1


def fits(F):
    singles, pairs = parts(F)
    if not pairs:
        return len(singles) <= 3
    return len(pairs) == 1 and len([v for v in singles if v not in pairs[0]]) <= 1


def room(F):
    return fits({**F, (10 ** 9,): 1})


class Second:
    def __init__(self, key):
        self.key, self.created, self.table, self.same = key, 0, [], []
        self.compile()

    def new(self):
        self.created += 1
        return {(self.created - 1,): 1}

    def row(self, F, value=None):
        assert fits(F)
        singles, pairs = parts(F)
        q = {"m": 0, "a": 0, "b": 0, "c": 0, "e": 0 if value is None else 1, "0": F.get((), 0)}
        wires = {"a": "zero", "b": "zero", "c": "zero"}
        if pairs:
            v, w = pairs[0]
            wires["a"], wires["b"], q["m"], q["a"] = v, w, F[v, w], F.get((v,), 0)
            q["b"] = F.get((w,), 0) if v != w else 0
            for beside in singles:
                if beside not in (v, w):
                    wires["c"], q["c"] = beside, F[beside,]
        else:
            for wire, v in zip("abc", sorted(singles)):
                wires[wire], q[wire] = v, F[v,]
        d = self.new()
        [(wires["d"],)] = d
        self.table.append((q, wires, value))
        return d

    def let(self, F):
        if constant(F) and F.get((), 0) in (0, 1):
            return self.one if F else self.zero
        if affine(F) and () not in F and list(F.values()) == [1]:
            return F
        return self.row(F)

    def add(self, F, G):
        if fits(plus(F, G)):
            return plus(F, G)
        if not affine(F) and room(G):
            return plus(self.let(F), G)
        if not affine(G) and room(F):
            return plus(F, self.let(G))
        F = self.let(F)
        return plus(F, self.let(G))

    def sub(self, F, G):
        return self.add(F, scale(G, -1))

    def mul(self, F, G):
        if constant(F):
            return scale(G, F.get((), 0))
        if constant(G):
            return scale(F, G.get((), 0))
        if not affine(F):
            F = self.let(F)
        if not affine(G):
            G = self.let(G)
        total = {}
        for m, f in F.items():
            for n, g in G.items():
                total = plus(total, {tuple(sorted(m + n)): f * g})
        return total

    def sum(self, forms):
        total = {}
        for F in forms:
            total = self.add(total, F)
        return total

    def inverse(self, F):
        if not affine(F):
            F = self.let(F)
        g = self.new()
        self.same.append((self.row(self.mul(F, g)), self.one))
        return g

    def power(self, v, m):
        total = v
        for bit in bin(m)[3:]:
            total = self.let(self.mul(total, total))
            total = self.let(self.mul(total, v)) if bit == "1" else total
        return total

    def compile(self):
        key, add, sub, mul, let = self.key, self.add, self.sub, self.mul, self.let
        n, omega = key.n, key.omega

        def om(i):
            return pow(omega, i % n, r)

        # 1
        inputs = [self.row({}) for _ in range(key.inputs)]
        theta, beta_L, beta, gamma, y, x, alpha, u = [self.row({}) for _ in range(8)]
        w_public = [self.row({}) for _ in key.packs]
        R = self.row({})
        self.zero = self.row({})
        self.one = self.row({(): 1})
        # 2
        X = x
        for _ in range(key.k):
            X = let(mul(X, X))
        v = plus(X, {(): -1})
        v_inverse = self.inverse(v)
        x_inverse = self.inverse(x)
        # 3
        rotations_of_inputs = key.rotations.get(("inputs", 0), [])
        wanted = {0} if key.copied else set()
        wanted |= set(range(key.usable, n)) if key.tables else set()
        wanted |= {(j - rho) % n for j in range(key.inputs) for rho in rotations_of_inputs}
        g = {}
        for i in sorted(wanted):
            g[i] = self.inverse(plus(x, {(): -om(i)}))
        by_n = scale(v, inv(n))
        if key.copied:
            first = let(mul(by_n, g[0]))
        if key.tables:
            S = self.sum([scale(g[i], om(i)) for i in range(key.usable, n)])
            active = let(sub({(): 1}, mul(by_n, S)))
        cell = {}
        for rho in rotations_of_inputs:
            S = self.sum([scale(mul(inputs[j], g[(j - rho) % n]), om(j - rho)) for j in range(key.inputs)])
            cell["inputs", 0, rho] = let(mul(by_n, S))
        # 4
        B = {}
        for P, pack in enumerate(key.packs):
            for rho in pack.rotations:
                B_here = None
                for place in range(len(pack.polynomials) - 1, -1, -1):
                    kind, number = pack.polynomials[place]
                    needed = rho in key.arrangement.polynomials[kind, number]
                    if needed or B_here is None:
                        d = self.row({}, (P, place, rho))
                        if needed:
                            cell[kind, number, rho] = d
                        B_here = d if B_here is None else let(add(mul(B_here, u), d))
                    else:
                        B_here = self.row(mul(B_here, u), (P, place, rho))
                B[P, rho] = B_here
        # 5
        U = let(mul(self.power(u, key.T), x_inverse))
        h = {}
        for rho in sorted({rho for pack in key.packs for rho in pack.rotations}):
            h[rho] = self.inverse(plus(U, {(): -om(rho)}))
        h_Q = self.inverse(sub(u, x))
        # 6
        c = self.constraints(cell, theta, beta_L, beta, gamma, x, first if key.copied else None,
                             active if key.tables else None)
        Y = {}
        for c_i in c[::-1]:
            Y = add(mul(Y, y), c_i)
        t = let(mul(Y, v_inverse))
        # 7
        A, S = {(): 1}, {}
        for P, pack in enumerate(key.packs):
            a = let(mul(A, self.power(x_inverse, len(pack.rotations))))
            w = a
            for rho in pack.rotations:
                w = mul(w, h[rho])
            self.same.append((let(w), w_public[P]))
            terms = []
            for rho in pack.rotations:
                below = 1
                for other in pack.rotations:
                    below = below * (om(rho) - om(other)) % r if other != rho else below
                terms.append(scale(mul(B[P, rho], h[rho]), inv(below)))
            s = self.sum(terms)
            S = add(S, mul(s, a))
            A = let(mul(A, alpha))
        self.same.append((let(add(S, mul(mul(A, h_Q), t))), R))

    def constraints(self, cell, theta, beta_L, beta, gamma, x, first, active):
        key, add, sub, mul, let = self.key, self.add, self.sub, self.mul, self.let
        # 6.1
        stand = [node.left for node in key.nodes] + [node.right for node in key.nodes] + key.constraints
        for table in key.tables:
            for nodes in [table.nodes] + table.inputs:
                stand = stand + nodes
        node = []
        for number, N in enumerate(key.nodes):
            if N.kind == "constant":
                F = clean({(): N.value})
            elif N.kind in ("sum", "product"):
                F = (add if N.kind == "sum" else mul)(node[N.left], node[N.right])
            else:
                F = cell[N.kind, N.column, N.rotation]
            node.append(let(F) if stand.count(number) > 1 and not affine(F) else F)
        c = [node[number] for number in key.constraints]

        # 6.2
        def D(term):
            t = {}
            for number in term.nodes[::-1]:
                t = mul(add(t, node[number]), theta)
            return let(add(t, plus(beta_L, {(): term.table})))

        def N(term):
            return {(): 1} if term.of_input else scale(cell["m", term.table, 0], -1)

        for i, terms in enumerate(key.arrangement.helpers):
            A, B = N(terms[0]), D(terms[0])
            for term in terms[1:]:
                D_here, N_here = D(term), N(term)
                A = let(add(mul(A, D_here), mul(N_here, B)))
                B = let(mul(B, D_here))
            c.append(sub(mul(cell["h", i, 0], B), A))
        # 6.3
        if key.tables:
            f, t = key.arrangement.sum
            D_f = D(f)
            D_t = D(t)
            S = self.sum([cell["h", i, 0] for i in range(len(key.arrangement.helpers))])
            s = sub(sub(cell["phi", 0, 1], cell["phi", 0, 0]), mul(active, S))
            c.append(sub(mul(mul(s, D_f), D_t), mul(active, sub(D_t, mul(cell["m", 0, 0], D_f)))))
        if key.copied:
            # 6.4
            c.append(mul(first, plus(cell["z", 0, 0], {(): -1})))
            # 6.5
            C = (len(key.copied) + 3) // 4
            g = {0: cell["z", 0, 0], C: cell["z", 0, 1]}
            for i in range(1, C):
                g[i] = let(add(cell["z", 0, 0], cell["d", i, 0]))
            b = let(mul(beta, x))
            for i in range(C):
                N_here, O = g[i + 1], g[i]
                for j in range(4 * i, min(4 * i + 4, len(key.copied))):
                    s = let(add(cell[(*key.copied[j], 0)], gamma))
                    N_here = mul(N_here, add(mul(beta, cell["sigma", j, 0]), s))
                    O = mul(O, add(s, scale(b, pow(DELTA, j, r))))
                c.append(sub(N_here, O))
        return c

    def columns(self):
        k_2 = 2
        while 2 ** k_2 < len(self.table) + 4:
            k_2 += 1
        n, omega = 2 ** k_2, pow(OMEGA_28, 2 ** (28 - k_2), r)
        [(zero,)] = self.zero
        none = {"m": 0, "a": 0, "b": 0, "c": 0, "e": 0, "0": 0}
        rows = [(q, {wire: zero if v == "zero" else v for wire, v in wires.items()}) for q, wires, _ in self.table]
        while len(rows) < n - 4:
            [(d,)] = self.new()
            rows.append((none, {"a": zero, "b": zero, "c": zero, "d": d}))
        rows += [({**none, "c": 1}, None)] * 2 + [(none, None)] * 2
        # Classes by repeated joining.
        cls = {v: {v} for v in range(self.created)}
        for (one,), (other,) in (map(next, map(iter, pair)) for pair in self.same):
            if cls[one] is not cls[other]:
                joined = cls[one] | cls[other]
                for v in joined:
                    cls[v] = joined
        names = [[pow(DELTA, j, r) * pow(omega, i, r) % r for i in range(n)] for j in range(4)]
        sigma, members = [list(column) for column in names], {}
        for i, (_, wires) in enumerate(rows):
            for j, wire in enumerate("abcd"):
                if wires:
                    members.setdefault(id(cls[wires[wire]]), []).append((j, i))
        for cells in members.values():
            for at, (j, i) in enumerate(cells):
                next_j, next_i = cells[(at + 1) % len(cells)]
                sigma[j][i] = names[next_j][next_i]
        return [[q[name] for q, _ in rows] for name in ("m", "a", "b", "c", "e", "0")] + sigma


class TwoCompilers(unittest.TestCase):
    def compare(self, key):
        first, second = Decider(key), Second(key)
        self.assertEqual(first.fixed_columns() + first.sigma_columns(), second.columns())
        values = {value: i for i, (_, _, value) in enumerate(second.table) if value is not None}
        self.assertEqual(first.layout(), values)

    def test_small_circuits(self):
        for name, (key, _) in CIRCUITS.items():
            with self.subTest(name):
                self.compare(key)

    def test_real_circuits(self):
        for name in REAL_CIRCUITS:
            self.compare(real_circuit(name)[1])


if __name__ == "__main__":
    unittest.main()
