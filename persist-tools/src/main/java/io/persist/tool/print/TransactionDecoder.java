package io.persist.tool.print;

import io.persist.store.state.EntryCursor;
import io.persist.tool.print.Part.BytesField;
import io.persist.tool.print.Part.Field;
import io.persist.tool.print.Part.KeyField;
import io.persist.tool.print.Part.NumberField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A transaction of a store is its puts and removes; or what compaction moved to this place. */
final class TransactionDecoder implements RecordDecoder {

    private final EntryCursor entries = new EntryCursor();

    @Override
    public List<Part> parts(ByteBuffer payload, long position) {
        List<Part> parts = new ArrayList<>();
        entries.wrap(payload, position);
        while (entries.next()) {
            parts.add(part(payload));
        }
        return parts;
    }

    private Part part(ByteBuffer payload) {
        List<Field> fields = new ArrayList<>();
        fields.add(new KeyField("key", payload.slice(entries.keyIndex(), entries.keyLength())));
        if (entries.isPut()) {
            fields.add(new NumberField("length", entries.valueLength()));
            fields.add(new BytesField("value", payload.slice(entries.valueIndex(), entries.valueLength())));
        }
        if (entries.removesRange() && entries.valueLength() > 0) {
            fields.add(new BytesField("below", payload.slice(entries.valueIndex(), entries.valueLength())));
        }
        if (entries.previous() != 0) {
            fields.add(new NumberField("replaces", entries.previous()));
        }
        if (entries.isMove()) {
            return new Part("move", fields);
        }
        if (entries.removesRange()) {
            return new Part("removeRange", fields);
        }
        return new Part(entries.isPut() ? "put" : "remove", fields);
    }
}
