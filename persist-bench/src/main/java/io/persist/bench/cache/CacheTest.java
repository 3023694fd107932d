package io.persist.bench.cache;

import java.util.List;

/**
 * A test of ARCUS's matrix.
 *
 * @param sets how many sets a client makes one after the other
 * @param gets how many gets it makes then, before it begins anew
 * @param pattern which items it takes
 */
record CacheTest(int sets, int gets, Pattern pattern) {

    /** Which items a client takes. */
    enum Pattern {
        /** Each client its own part of the items, one after the other. */
        PARALLEL,
        /** Each time one of all, with the same probability. */
        RANDOM;

        /** As memtier has it. */
        String id() {
            return name().substring(0, 1);
        }
    }

    /** In ARCUS's order. */
    static final List<CacheTest> MATRIX = List.of(
            new CacheTest(1, 0, Pattern.PARALLEL),
            new CacheTest(0, 1, Pattern.RANDOM),
            new CacheTest(1, 9, Pattern.RANDOM),
            new CacheTest(3, 7, Pattern.RANDOM),
            new CacheTest(5, 5, Pattern.RANDOM));

    /** As ARCUS names it, or its ratio. */
    String id() {
        return isInsert() ? "insert" : sets == 0 ? "retrieve" : sets + ":" + gets;
    }

    /** Of its requests. */
    double partOfSets() {
        return (double) sets / (sets + gets);
    }

    /** Whether it begins with nothing. */
    boolean isInsert() {
        return gets == 0;
    }

    /** Whether the request of this number of a client, from 0 on, is a set. */
    boolean isSet(long number) {
        return number % (sets + gets) < sets;
    }

    @Override
    public String toString() {
        return id() + " (" + sets + ":" + gets + ", pattern " + pattern.id() + ")";
    }
}
