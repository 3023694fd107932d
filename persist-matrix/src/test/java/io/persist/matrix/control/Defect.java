package io.persist.matrix.control;

import static net.bytebuddy.matcher.ElementMatchers.isDeclaredBy;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.StubMethod;
import net.bytebuddy.matcher.ElementMatcher;

/**
 * A change of one class that breaks it. Classes are named without {@code io.persist.}, methods by their names.
 * One that fits nothing any more cannot be made: so no control goes stale unnoticed.
 */
final class Defect {

    private final String type;
    private final String method;
    private final UnaryOperator<DynamicType.Builder<?>> change;

    private Defect(String type, String method, UnaryOperator<DynamicType.Builder<?>> change) {
        this.type = type;
        this.method = method;
        this.change = change;
    }

    /** {@code method} does nothing, and returns 0, false or null. */
    static Defect empty(String type, String method) {
        return new Defect(
                type, method, builder -> builder.method(matching(method)).intercept(StubMethod.INSTANCE));
    }

    /** {@code method} does nothing but return {@code value}. */
    static Defect returns(String type, String method, Object value) {
        return new Defect(
                type, method, builder -> builder.method(matching(method)).intercept(FixedValue.value(value)));
    }

    /** {@code method} does not call {@code called}, as if it had returned 0, false or null. */
    static Defect without(String type, String method, String called) {
        return substituting(type, method, all -> all.method(named(called)).stub());
    }

    /** {@code method} gets {@code value} from what calls of {@code called} should tell it. */
    static Defect told(String type, String method, String called, Object value) {
        return substituting(type, method, all -> all.method(named(called)).replaceWithConstant(value));
    }

    /** {@code method} calls {@code other} where it should call {@code called}, which both take nothing. */
    static Defect calls(String type, String method, String called, String other) {
        return substituting(
                type,
                method,
                all -> all.method(named(called)).replaceWithMethod(named(other).and(takesNoArguments())));
    }

    /** The same with a static method of {@link Substitutes}, which takes the object at first. */
    static Defect callsSubstitute(String type, String method, String called, String substitute) {
        Method other = Arrays.stream(Substitutes.class.getDeclaredMethods())
                .filter(one -> one.getName().equals(substitute))
                .findFirst()
                .orElseThrow();
        return substituting(type, method, all -> all.method(named(called)).replaceWith(other));
    }

    /** {@code method} has something else in the place of a call or of a field, which has to be there. */
    private static Defect substituting(String type, String method, UnaryOperator<MemberSubstitution> substitution) {
        return new Defect(
                type,
                method,
                builder -> builder.visit(substitution
                        .apply(MemberSubstitution.relaxed())
                        .failIfNoMatch(true)
                        .on(matching(method))));
    }

    /** {@code method} does besides what {@code advice} says. */
    static Defect also(String type, String method, Class<?> advice) {
        return new Defect(
                type, method, builder -> builder.visit(Advice.to(advice).on(matching(method))));
    }

    /**
     * By a name, like {@code append}, by how names begin, like {@code app*}, or by a name and types, like
     * {@code append(byte[],int,int)}.
     */
    private static ElementMatcher.Junction<MethodDescription> matching(String method) {
        if (method.endsWith("*")) {
            return nameStartsWith(method.substring(0, method.length() - 1));
        }
        int open = method.indexOf('(');
        if (open < 0) {
            return named(method);
        }
        return new ElementMatcher.Junction.AbstractBase<>() {

            @Override
            public boolean matches(MethodDescription found) {
                String types = found.getParameters().asTypeList().asErasures().stream()
                        .map(TypeDescription::getSimpleName)
                        .collect(Collectors.joining(","));
                return method.equals(found.getName() + "(" + types + ")");
            }
        };
    }

    String type() {
        return type;
    }

    DynamicType.Builder<?> applyTo(DynamicType.Builder<?> builder) {
        ElementMatcher<MethodDescription> there = matching(method).and(isDeclaredBy(builder.toTypeDescription()));
        if (builder.toTypeDescription().getDeclaredMethods().filter(there).isEmpty()) {
            throw new AssertionError("no method " + method + " in " + type);
        }
        return change.apply(builder);
    }

    @Override
    public String toString() {
        return type + "." + method;
    }
}
