"""What a store keeps of what people are told while they are away, and of what the host tells everybody."""
