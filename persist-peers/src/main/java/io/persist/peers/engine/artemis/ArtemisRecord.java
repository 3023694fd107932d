package io.persist.peers.engine.artemis;

import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.journal.EncodingSupport;

/** A message as Artemis' journal encodes it, in a thread of its own. */
record ArtemisRecord(byte[] message) implements EncodingSupport {

    @Override
    public int getEncodeSize() {
        return message.length;
    }

    @Override
    public void encode(ActiveMQBuffer buffer) {
        buffer.writeBytes(message);
    }

    @Override
    public void decode(ActiveMQBuffer buffer) {
        throw new UnsupportedOperationException("only written");
    }
}
