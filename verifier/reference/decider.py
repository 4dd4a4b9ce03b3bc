"""The decider of a compact key: section 11 of ../SPEC.md.

A decider is a list of rows. Each computes a variable from others:

    d = q_m·a·b + q_a·a + q_b·b + q_c·c + q_e·e + q_0,

where a, b, c are variables and e is a value of the pack E. Everything here follows from the key alone, so
that whoever reads a key can compile its decider and compare.
"""

from collections import namedtuple

from fast import DELTA, OMEGA_28, inverse, r, rule

WIRES = 4                      # a, b, c, d
SELECTORS = ("q_m", "q_a", "q_b", "q_c", "q_e", "q_0")
PLACES = len(SELECTORS) + WIRES
RANDOM_ROWS = 4
MOST = 2 ** 16 - RANDOM_ROWS

# `wires` are the numbers of the variables a, b, c, d; `value` the value in cell e, or None.
Row = namedtuple("Row", "q_m q_a q_b q_c q_e q_0 wires value")


class Form:
    """A constant, variables with factors, and products of two variables with factors. It costs no row."""

    def __init__(self, constant=0, linear=(), products=()):
        self.constant = constant % r
        self.linear = {variable: factor % r for variable, factor in dict(linear).items() if factor % r}
        self.products = {pair: factor % r for pair, factor in dict(products).items() if factor % r}

    def is_constant(self):
        return not self.linear and not self.products

    def is_affine(self):
        """At most one variable, and no product."""
        return not self.products and len(self.linear) <= 1

    def fits(self):
        """Whether one row can hold it."""
        in_product = {variable for pair in self.products for variable in pair}
        others = self.linear.keys() - in_product
        return len(self.products) <= 1 and len(others) <= (1 if self.products else 3)

    def has_room(self):
        """Whether one row can hold it and one more variable."""
        return self.plus(Form(0, {-1: 1})).fits()

    def plus(self, other):
        def joined(one, another):
            return {key: one.get(key, 0) + another.get(key, 0) for key in one.keys() | another.keys()}

        return Form(self.constant + other.constant, joined(self.linear, other.linear),
                    joined(self.products, other.products))

    def scaled(self, factor):
        return Form(self.constant * factor, {v: f * factor for v, f in self.linear.items()},
                    {pair: f * factor for pair, f in self.products.items()})


class Decider:
    """`rows`, and `equal`: pairs of variables that must be equal. `publics` are the names of the public
    inputs, in order, which are also the first rows. `inverses` has, for each variable that is an inverse, its row."""

    most = MOST

    def __init__(self, key, most=MOST):
        self.most = most  # of the rows, so that no more are made
        self.key, self.rows, self.equal, self.inverses, self.variables = key, [], [], {}, 0
        self.publics = [("input", j) for j in range(key.inputs)]
        self.publics += [(name,) for name in ("theta", "beta_l", "beta", "gamma", "y", "x", "alpha", "u")]
        self.publics += [("w", P) for P in range(len(key.packs))] + [("R",)]
        self.zero = len(self.publics)          # the number that its variable will have
        self.public = {name: Form(0, {self.row(Form()): 1}) for name in self.publics}
        assert self.row(Form()) == self.zero
        self.one = self.row(Form(1))
        compile_protocol(self)
        self.k = 2
        while 2 ** self.k < len(self.rows) + RANDOM_ROWS:
            self.k += 1
        self.n = 2 ** self.k

    # Forms and rows

    def variable(self):
        self.variables += 1
        return self.variables - 1

    def row(self, form, value=None):
        """A new row that computes the form, and the value if there is one; the new variable d."""
        q_m, a, b = 0, None, None
        linear = dict(form.linear)
        if form.products:
            [((a, b), q_m)] = form.products.items()
            q_a, q_b = linear.pop(a, 0), linear.pop(b, 0)
            wires, factors = [a, b, *linear], [q_a, q_b, *linear.values()]
        else:
            wires, factors = sorted(linear), [linear[variable] for variable in sorted(linear)]
        while len(wires) < 3:
            wires, factors = wires + [self.zero], factors + [0]
        rule(13, len(self.rows) < self.most, "the decider has more rows")
        d = self.variable()
        self.rows.append(Row(q_m, *factors, int(value is not None), form.constant, (*wires, d), value))
        return d

    def let(self, form):
        """The form as one variable."""
        if form.is_constant() and form.constant in (0, 1):
            return Form(0, {self.one if form.constant else self.zero: 1})
        if form.is_affine() and form.constant == 0 and list(form.linear.values()) == [1]:
            return form
        return Form(0, {self.row(form): 1})

    def add(self, left, right):
        if left.plus(right).fits():
            return left.plus(right)
        if not left.is_affine() and right.has_room():
            return self.let(left).plus(right)
        if not right.is_affine() and left.has_room():
            return left.plus(self.let(right))
        # An affine form has room, so neither is one.
        left = self.let(left)
        return left.plus(self.let(right))

    def mul(self, left, right):
        if left.is_constant():
            return right.scaled(left.constant)
        if right.is_constant():
            return left.scaled(right.constant)
        if not left.is_affine():
            left = self.let(left)
        if not right.is_affine():
            right = self.let(right)
        [(v, s)], [(w, t)] = left.linear.items(), right.linear.items()
        product = Form(0, {}, {(min(v, w), max(v, w)): s * t})
        return product.plus(right.scaled(left.constant)).plus(left.scaled(right.constant)).plus(
            Form(-left.constant * right.constant))

    def sub(self, left, right):
        return self.add(left, right.scaled(-1))

    def sum(self, forms):
        total = Form()
        for form in forms:
            total = self.add(total, form)
        return total

    def inverse(self, form):
        """A new variable that is 1/form; the form cannot be 0."""
        if not form.is_affine():
            form = self.let(form)
        g = Form(0, {self.variable(): 1})
        d = self.row(self.mul(form, g))
        self.inverses[next(iter(g.linear))] = len(self.rows) - 1
        self.equal.append((d, self.one))
        return g

    def power(self, base, exponent):
        """base^exponent, of a variable, for an exponent of at least 1."""
        result = base
        for bit in f"{exponent:b}"[1:]:
            result = self.let(self.mul(result, result))
            if bit == "1":
                result = self.let(self.mul(result, base))
        return result

    def must_be(self, form, name):
        """The form is the public input of this name."""
        [variable], [public] = self.let(form).linear, self.public[name].linear
        self.equal.append((variable, public))

    # What becomes of it

    def omega(self):
        return pow(OMEGA_28, 2 ** (28 - self.k), r)

    def table(self):
        """All n rows: those that were compiled, rows that compute 0, and four that are random."""
        rows = list(self.rows)
        variables = self.variables
        for i in range(len(rows), self.n):
            random_row = i >= self.n - RANDOM_ROWS
            # In the first two of the random rows d = c.
            q_c = int(self.n - 4 <= i < self.n - 2)
            wires = (None,) * 4 if random_row else (self.zero,) * 3 + (variables,)
            rows.append(Row(0, 0, 0, q_c, 0, 0, wires, None))
            variables += 1
        return rows

    def fixed_columns(self):
        rows = self.table()
        return [[row[i] for row in rows] for i in range(len(SELECTORS))]

    def cycles(self):
        """The cells (row, wire) of each variable, in order; equal variables are one."""
        root = {}

        def find(variable):
            while variable in root:
                variable = root[variable]
            return variable

        for one, other in self.equal:
            if find(one) != find(other):
                root[find(other)] = find(one)
        found = {}
        for i, row in enumerate(self.table()):
            for j, variable in enumerate(row.wires):
                if variable is not None:
                    found.setdefault(find(variable), []).append((i, j))
        return list(found.values())

    def sigma_columns(self):
        omega = self.omega()
        points = [1]
        for _ in range(self.n - 1):
            points.append(points[-1] * omega % r)
        name = [[pow(DELTA, j, r) * point % r for point in points] for j in range(WIRES)]
        columns = [list(column) for column in name]
        for cells in self.cycles():
            for (i, j), (next_i, next_j) in zip(cells, cells[1:] + cells[:1]):
                columns[j][i] = name[next_j][next_i]
        return columns

    def layout(self):
        """In which row of column e each value stands."""
        return {row.value: i for i, row in enumerate(self.rows) if row.value is not None}


# ---------------------------------------------------------------- From a key to rows

def compile_protocol(to):
    key, public = to.key, to.public
    x, alpha, u = (public[name,] for name in ("x", "alpha", "u"))
    # 2
    x_n = x
    for _ in range(key.k):
        x_n = to.let(to.mul(x_n, x_n))
    vanishing = x_n.plus(Form(-1))
    one_by_vanishing = to.inverse(vanishing)
    one_by_x = to.inverse(x)
    # 3
    rows = row_polynomials(to, x, vanishing)
    # 4
    values, joined = read_values(to, u)
    # 5
    # u^M/x, so that the difference to each ω^λ is affine: 1/(u^M − x·ω^λ) is `near` by x.
    ratio = to.let(to.mul(to.power(u, key.T), one_by_x))
    all_rotations = sorted({rotation for pack in key.packs for rotation in pack.rotations})
    near = {}
    for rotation in all_rotations:
        near[rotation] = to.inverse(ratio.plus(Form(-pow(key.omega, rotation, r))))
    near_quotient = to.inverse(to.sub(u, x))
    # 6
    constraints = constraint_forms(to, values, rows)
    folded = Form()
    for constraint in reversed(constraints):
        folded = to.add(to.mul(folded, public["y",]), constraint)
    quotient = to.let(to.mul(folded, one_by_vanishing))
    # 7
    total, alpha_P = Form(), Form(1)
    for P, pack in enumerate(key.packs):
        both = to.let(to.mul(alpha_P, to.power(one_by_x, len(pack.rotations))))
        w = both
        for rotation in pack.rotations:
            w = to.mul(w, near[rotation])
        to.must_be(w, ("w", P))
        points = [pow(key.omega, rotation, r) for rotation in pack.rotations]
        parts = []
        for at, rotation in zip(points, pack.rotations):
            others = 1
            for other in points:
                others = others * (at - other) % r if other != at else others
            parts.append(to.mul(joined[P, rotation], near[rotation]).scaled(inverse(others)))
        total = to.add(total, to.mul(to.sum(parts), both))
        alpha_P = to.let(to.mul(alpha_P, alpha))
    total = to.add(total, to.mul(to.mul(alpha_P, near_quotient), quotient))
    to.must_be(total, ("R",))


def row_polynomials(to, x, vanishing):
    """ℓ₀ and ℓ_act at x, and the column of inputs at each of its rotations."""
    key = to.key
    needed = set()
    if key.copied:
        needed.add(0)
    if key.tables:
        needed.update(range(key.usable, key.n))
    input_rotations = key.rotations.get(("inputs", 0), [])
    needed.update((j - rotation) % key.n for rotation in input_rotations for j in range(key.inputs))
    by_n = vanishing.scaled(inverse(key.n))
    point = {i: pow(key.omega, i, r) for i in needed}
    g = {i: to.inverse(x.plus(Form(-point[i]))) for i in sorted(needed)}
    found = {}
    if key.copied:
        found["first"] = to.let(to.mul(by_n, g[0]))
    if key.tables:
        random_rows = to.sum([g[i].scaled(point[i]) for i in range(key.usable, key.n)])
        found["active"] = to.let(to.sub(Form(1), to.mul(by_n, random_rows)))
    for rotation in input_rotations:
        parts = []
        for j in range(key.inputs):
            i = (j - rotation) % key.n
            parts.append(to.mul(to.public["input", j], g[i]).scaled(point[i]))
        found["inputs", 0, rotation] = to.let(to.mul(by_n, to.sum(parts)))
    return found


def read_values(to, u):
    """The values that the equation needs, by kind, number and rotation; and Σ_i u^i·(value of place i), by pack
    and rotation."""
    values, joined = {}, {}
    for P, pack in enumerate(to.key.packs):
        for rotation in pack.rotations:
            total = None
            for place in reversed(range(len(pack.polynomials))):
                name, value = pack.polynomials[place], (P, place, rotation)
                needed = rotation in to.key.arrangement.polynomials[name]
                if needed or total is None:
                    read = Form(0, {to.row(Form(), value): 1})
                    if needed:
                        values[(*name, rotation)] = read
                    total = read if total is None else to.let(to.add(to.mul(total, u), read))
                else:
                    total = Form(0, {to.row(to.mul(total, u), value): 1})
            joined[P, rotation] = total
    return values, joined


def node_forms(to, values, rows):
    key = to.key
    uses = [0] * len(key.nodes)
    lists = [key.constraints]
    lists += [nodes for table in key.tables for nodes in (table.nodes, *table.inputs)]
    lists += [(node.left, node.right) for node in key.nodes if node.left is not None]
    for numbers in lists:
        for number in numbers:
            uses[number] += 1
    forms = []
    for number, node in enumerate(key.nodes):
        if node.kind == "constant":
            form = Form(node.value)
        elif node.kind == "inputs":
            form = rows["inputs", 0, node.rotation]
        elif node.kind in ("fixed", "advice"):
            form = values[node.kind, node.column, node.rotation]
        elif node.kind == "sum":
            form = to.add(forms[node.left], forms[node.right])
        else:
            form = to.mul(forms[node.left], forms[node.right])
        if uses[number] > 1 and not form.is_affine():
            form = to.let(form)
        forms.append(form)
    return forms


def constraint_forms(to, values, rows):
    """c_0, c_1, … of section 6."""
    key, public = to.key, to.public
    theta, beta_l, beta, gamma, x = (public[name,] for name in ("theta", "beta_l", "beta", "gamma", "x"))
    node = node_forms(to, values, rows)
    sum_terms, helpers, chunks, _ = key.arrangement

    def denominator(term):
        total = Form()
        for number in reversed(term.nodes):
            total = to.mul(to.add(total, node[number]), theta)
        return to.let(to.add(total, beta_l.plus(Form(term.table))))

    def numerator(term):
        return Form(1) if term.of_input else values["m", term.table, 0].scaled(-1)

    # 1
    constraints = [node[number] for number in key.constraints]
    # 2
    for i, terms in enumerate(helpers):
        above, below = numerator(terms[0]), denominator(terms[0])
        for term in terms[1:]:
            D = denominator(term)
            above = to.let(to.add(to.mul(above, D), to.mul(numerator(term), below)))
            below = to.let(to.mul(below, D))
        constraints.append(to.sub(to.mul(values["h", i, 0], below), above))
    # 3
    if sum_terms:
        D_f, D_t = (denominator(term) for term in sum_terms)
        sum_h = to.sum([values["h", i, 0] for i in range(len(helpers))])
        step = to.sub(values["phi", 0, 1], values["phi", 0, 0])
        step = to.sub(step, to.mul(rows["active"], sum_h))
        left = to.mul(to.mul(step, D_f), D_t)
        right = to.mul(rows["active"], to.sub(D_t, to.mul(values["m", 0, 0], D_f)))
        constraints.append(to.sub(left, right))
    if chunks:
        # 4
        z, z_next = values["z", 0, 0], values["z", 0, 1]
        constraints.append(to.mul(rows["first"], z.plus(Form(-1))))
        # 5
        g = [z] + [to.let(to.add(z, values["d", i, 0])) for i in range(1, len(chunks))] + [z_next]
        beta_x = to.let(to.mul(beta, x))
        for i, chunk in enumerate(chunks):
            new, old = g[i + 1], g[i]
            for j in chunk:
                kind, column = key.copied[j]
                cell = rows["inputs", 0, 0] if kind == "inputs" else values[kind, column, 0]
                shifted = to.let(to.add(cell, gamma))
                sigma = to.add(to.mul(beta, values["sigma", j, 0]), shifted)
                new = to.mul(new, sigma)
                old = to.mul(old, to.add(shifted, beta_x.scaled(pow(DELTA, j, r))))
            constraints.append(to.sub(new, old))
    return constraints


# ---------------------------------------------------------------- What the rows compute

def solved(decider, publics, values):
    """The variables, from the public inputs and the values; ZeroDivisionError where there is no inverse.

    Whether what must be equal is equal is not looked at."""
    found = {}
    for i, row in enumerate(decider.rows):
        a, b, c, d = row.wires
        if b not in found and decider.inverses.get(b) == i:
            found[b] = inverse_or_error(row.q_m * found[a] + row.q_b)
        total = row.q_m * found.get(a, 0) * found.get(b, 0) + row.q_0
        total += row.q_a * found.get(a, 0) + row.q_b * found.get(b, 0) + row.q_c * found.get(c, 0)
        if row.value is not None:
            total += values[row.value]
        if i < len(decider.publics):
            total += publics[decider.publics[i]]
        found[d] = total % r
    return found


def inverse_or_error(number):
    if number % r == 0:
        raise ZeroDivisionError("the inverse of 0")
    return inverse(number)


def unequal(decider, found):
    """The pairs of variables that should be equal and are not."""
    return [pair for pair in decider.equal if found[pair[0]] != found[pair[1]]]
