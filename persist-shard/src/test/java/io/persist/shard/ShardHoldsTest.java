package io.persist.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import org.junit.jupiter.api.Test;

/** A hold of since has one owner at a time. */
class ShardHoldsTest {

    private final ShardRig rig = new ShardRig();
    private final Shard<String, String> shard = rig.shard();

    @Test
    void shouldFenceOwnersOfACriticalHold() {
        SinceHandle one = shard.since("upstream");
        assertThat(one.compareAndDowngradeSince(0, 7, Frontier.at(3)))
                .isEqualTo(new SinceHandle.Outcome(SinceHandle.Status.MOVED, Frontier.at(3), 7));
        SinceHandle two = rig.shard().since("upstream");
        assertThat(two.token()).isEqualTo(7);
        assertThat(two.since()).isEqualTo(Frontier.at(3));
        two.compareAndDowngradeSince(7, 8, Frontier.at(4));
        assertThat(one.compareAndDowngradeSince(7, 7, Frontier.at(9)))
                .isEqualTo(new SinceHandle.Outcome(SinceHandle.Status.FENCED, Frontier.at(4), 8));
        rig.clock.advanceMs(1_000_000);
        shard.expire();
        assertThat(shard.since()).isEqualTo(Frontier.at(4));
        assertThat(one.remove())
                .as("what an owner does at its end that was fenced")
                .isEqualTo(new SinceHandle.Outcome(SinceHandle.Status.FENCED, Frontier.at(4), 8));
        assertThat(shard.since()).isEqualTo(Frontier.at(4));
        assertThat(two.remove().status()).isEqualTo(SinceHandle.Status.GONE);
        assertThat(two.remove().status()).isEqualTo(SinceHandle.Status.GONE);
        assertThat(one.compareAndDowngradeSince(8, 8, Frontier.at(9)).status()).isEqualTo(SinceHandle.Status.GONE);
        assertThat(shard.since()).isEqualTo(Frontier.at(4));
    }

    /** They start together, and each gives the number behind the one that it has seen. */
    @Test
    void shouldHaveOneOwnerOfThoseThatGiveTheSameToken() {
        SinceHandle one = shard.since("upstream");
        SinceHandle two = rig.shard().since("upstream");
        assertThat(one.compareAndDowngradeSince(0, 1, Frontier.at(3)).status()).isEqualTo(SinceHandle.Status.MOVED);
        assertThat(two.compareAndDowngradeSince(0, 1, Frontier.at(3)))
                .isEqualTo(new SinceHandle.Outcome(SinceHandle.Status.FENCED, Frontier.at(3), 1));
        assertThat(two.compareAndDowngradeSince(1, 1, Frontier.at(5)).status())
                .as("who is not the owner does not stay it")
                .isEqualTo(SinceHandle.Status.FENCED);
        assertThat(one.compareAndDowngradeSince(0, 1, Frontier.at(3)).status())
                .as("a call that is repeated")
                .isEqualTo(SinceHandle.Status.MOVED);
        assertThat(one.compareAndDowngradeSince(1, 1, Frontier.at(4)).status()).isEqualTo(SinceHandle.Status.MOVED);
        assertThat(two.compareAndDowngradeSince(1, 0, Frontier.at(4)).status()).isEqualTo(SinceHandle.Status.MOVED);
        SinceHandle three = rig.shard().since("upstream");
        assertThat(three.compareAndDowngradeSince(0, 1, Frontier.at(4)).status())
                .isEqualTo(SinceHandle.Status.MOVED);
        assertThat(one.compareAndDowngradeSince(1, 1, Frontier.at(9)))
                .as("its token is there again, and is another's")
                .isEqualTo(new SinceHandle.Outcome(SinceHandle.Status.FENCED, Frontier.at(4), 1));
    }

    /** It would come back as another name, and each process would make a hold of its own. */
    @Test
    void shouldRefuseANameOfAHoldThatDoesNotComeBack() {
        assertThatThrownBy(() -> shard.since("up\ud83d")).isInstanceOf(IllegalArgumentException.class);
        assertThat(rig.shard().state().criticals()).isEmpty();
        Codec<String> nameless = Codec.of("c\ud83d", Codec.utf8()::encode, Codec.utf8()::decode);
        assertThatThrownBy(() -> rig.client().shard("other", nameless, nameless))
                .as("nobody could open it again")
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(rig.consensus.head("other")).isNull();
    }

    /** A hold that is made of what this process knows would hold nothing. */
    @Test
    void shouldMakeAHoldThatAnotherOneHasRemoved() {
        shard.since("upstream");
        SinceHandle other = rig.shard().since("upstream");
        other.compareAndDowngradeSince(0, 1, Frontier.MINIMUM);
        assertThat(other.remove().status()).isEqualTo(SinceHandle.Status.GONE);
        shard.since("upstream");
        assertThat(shard.state().criticals()).containsOnlyKeys("upstream");
    }
}
