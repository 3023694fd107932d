package io.persist.memcached.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** The bounds of the answers count what these take. */
class TakenTest {

    @Test
    void shouldCountTheWholeBufferHoweverShortTheAnswer() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setMessageSizeEstimator(Taken.ESTIMATOR);
        ByteBuf buffer = new AdaptiveByteBufAllocator(true).buffer(256).writeBytes("STORED\r\n".getBytes());
        assertThat(Taken.by(buffer)).isGreaterThanOrEqualTo(256);
        var unused = channel.write(buffer);
        assertThat(channel.unsafe().outboundBuffer().totalPendingWriteBytes()).isGreaterThanOrEqualTo(256);
        channel.finishAndReleaseAll();
        assertThat(Taken.ESTIMATOR.size("no buffer")).isZero();
    }
}
