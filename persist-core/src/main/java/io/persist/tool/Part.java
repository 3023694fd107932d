package io.persist.tool;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One of the things that a record is made of, such as a message of a packet or a put of a transaction.
 *
 * @param name what it is
 * @param fields what it has, in the order in which they are printed
 */
record Part(String name, List<Field> fields) {

    /** A value with a name. */
    sealed interface Field {
        String name();
    }

    record NumberField(String name, long value) implements Field {}

    record TextField(String name, String value) implements Field {}

    /** Bytes of the user's: a view of the record, as long as this is the current one. */
    record BytesField(String name, ByteBuffer value) implements Field {}
}
