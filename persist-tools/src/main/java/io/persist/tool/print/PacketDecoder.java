package io.persist.tool.print;

import io.persist.packet.PacketMetadata;
import io.persist.packet.PacketOperation;
import io.persist.packet.PacketReader;
import io.persist.tool.print.Part.BytesField;
import io.persist.tool.print.Part.Field;
import io.persist.tool.print.Part.NumberField;
import io.persist.tool.print.Part.TextField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** A packet is its metadata, if it has any, and its messages. What was not set is 0 and is left out. */
final class PacketDecoder implements RecordDecoder {

    private final PacketReader reader = new PacketReader();

    @Override
    public List<Part> parts(ByteBuffer payload, long position) {
        reader.wrap(payload, position);
        List<Part> parts = new ArrayList<>();
        if (reader.hasMetadata()) {
            parts.add(new Part("metadata", fields(reader.metadata())));
        }
        while (reader.nextMessage()) {
            ByteBuffer message = reader.message();
            NumberField length = new NumberField("length", message.remaining());
            parts.add(new Part("message", List.of(length, new BytesField("payload", message.slice()))));
        }
        return parts;
    }

    private static List<Field> fields(PacketMetadata metadata) {
        List<Field> fields = new ArrayList<>();
        if (metadata.operation() != PacketOperation.OTHER) {
            String operation = metadata.operation().name().toLowerCase(Locale.ROOT);
            fields.add(new TextField("operation", operation));
        } else {
            add(fields, "operationCode", metadata.operationCode());
        }
        StringJoiner flags = new StringJoiner(" ");
        if (metadata.isPossibleDuplicate()) {
            flags.add("possibleDuplicate");
        }
        if (metadata.isCommitStart()) {
            flags.add("commitStart");
        }
        if (metadata.isCommitEnd()) {
            flags.add("commitEnd");
        }
        if (flags.length() > 0) {
            fields.add(new TextField("flags", flags.toString()));
        }
        add(fields, "type", metadata.type());
        if (metadata.objectIdHigh() != 0 || metadata.objectIdLow() != 0) {
            fields.add(new TextField("objectId", metadata.objectId().toString()));
        }
        add(fields, "transactionId", metadata.transactionId());
        add(fields, "stableTransactionId", metadata.stableTransactionId());
        add(fields, "inSequence", metadata.inSequence());
        add(fields, "outSequence", metadata.outSequence());
        add(fields, "checkpoint", metadata.checkpoint());
        return fields;
    }

    private static void add(List<Field> fields, String name, long value) {
        if (value != 0) {
            fields.add(new NumberField(name, value));
        }
    }
}
