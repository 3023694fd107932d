package io.persist.shard;

import static io.persist.shard.ShardRig.contents;
import static io.persist.shard.ShardRig.events;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A shard to which nothing will be added stays readable until somebody gives it up. */
class FinishedShardTest {

    private final ShardRig rig = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
    private final ShardClient client = rig.client();
    private final Shard<String, String> shard = client.shard(ShardRig.ID, Codec.utf8(), Codec.utf8());
    private final ShardWriter<String, String> writer = shard.writer();
    private final ShardReader<String, String> reader = shard.reader();
    private final ShardListener<String, String> listener = reader.listen(0);

    /** In which order those go who hold since. Upkeep comes behind each. */
    enum Order {
        READER_BEFORE_THE_END {
            @Override
            List<AutoCloseable> behindTheEnd(FinishedShardTest test) {
                test.reader.close();
                return List.of(test.listener);
            }
        },
        READER_FIRST {
            @Override
            List<AutoCloseable> behindTheEnd(FinishedShardTest test) {
                return List.of(test.reader, test.listener);
            }
        },
        LISTENER_FIRST {
            @Override
            List<AutoCloseable> behindTheEnd(FinishedShardTest test) {
                return List.of(test.listener, test.reader);
            }
        },
        CLIENT_ALONE {
            @Override
            List<AutoCloseable> behindTheEnd(FinishedShardTest test) {
                return List.of();
            }
        };

        abstract List<AutoCloseable> behindTheEnd(FinishedShardTest test);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeReadableWhenAllWhoHaveReadItAreGone(Order order) throws Exception {
        writer.compareAndAppend(updates("a", 0, 3), Frontier.MINIMUM, Frontier.EMPTY);
        List<AutoCloseable> holders = order.behindTheEnd(this);
        assertThat(events(listener, Frontier.EMPTY)).containsExactly("a@1*1", "a@2*1", "<EMPTY");
        shard.maintain();
        for (AutoCloseable holder : holders) {
            holder.close();
            shard.maintain();
        }
        client.close();
        assertReadable(Frontier.MINIMUM);
    }

    @Test
    void shouldKeepTheLastTimeThatItsListenerHadPassed() throws Exception {
        writer.compareAndAppend(updates("a", 0, 2), 0, 2);
        events(listener, Frontier.at(2));
        writer.compareAndAppend(updates("a", 2, 3), Frontier.at(2), Frontier.EMPTY);
        events(listener, Frontier.EMPTY);
        reader.close();
        shard.maintain();
        client.close();
        assertReadable(Frontier.at(1));
    }

    private void assertReadable(Frontier since) throws InterruptedException {
        Shard<String, String> again = rig.shard();
        again.maintain();
        assertThat(again.isTombstone()).isFalse();
        assertThat(again.since()).isEqualTo(since);
        assertThat(rig.objects()).isPositive();
        assertThat(contents(again.reader(), 2)).isEqualTo(Map.of("a", 3L));
    }
}
